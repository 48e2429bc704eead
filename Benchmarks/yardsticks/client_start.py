"""From the imports to the first verdict of the Python client: prints microseconds and bytes of memory."""

import base64
import sys
import time

start = time.perf_counter()
source, directory, key, account, bundle_id = sys.argv[1:]
sys.path.insert(0, source)

from pathlib import Path

from entitled_client import EntitledClient, Settings

raw = base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
settings = Settings("http://127.0.0.1:1", bundle_id, {"k1": raw}, Path(directory))
client = EntitledClient(settings, account, lambda: None)
answer = client.answer("pro")
took = time.perf_counter() - start
if "active" not in str(answer):
    sys.exit(f"the first verdict is {answer}")
with open("/proc/self/status") as status:
    memory = next(int(line.split()[1]) * 1024 for line in status if line.startswith("RssAnon:"))
print(took * 1e6, memory, flush=True)
