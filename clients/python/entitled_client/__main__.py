"""`python3 -m entitled_client`: replays client cases, and watches an account."""

from __future__ import annotations

import argparse
import sys
import uuid
from pathlib import Path

from .client import Settings
from .derive import derive
from .errors import EntitledError
from .watch import published_keys, read_keys, watch


def main(arguments: list[str] | None = None) -> int:
    """Runs the command line. 0 done, 1 what was asked about failed, 2 wrong use."""
    options = _parser().parse_args(arguments)
    if options.command == "derive":
        return derive(options.case)
    try:
        bodies = [path.read_text("ascii").strip() for path in options.push]
        settings = Settings(
            url=options.url,
            bundle_id=options.app,
            keys=read_keys(options.jwks) if options.jwks else published_keys(options.url),
            directory=options.state,
            environment=options.environment,
        )
        watch(settings, options.account, options.token, bodies)
    except KeyboardInterrupt:
        return 0
    except (EntitledError, OSError, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


def _address(text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise argparse.ArgumentTypeError(f"{text} is no address like https://entitled.example")
    return text


def _account(text: str) -> str:
    try:
        return str(uuid.UUID(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no UUID") from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="entitled_client", description="The Entitled client for Python.")
    commands = parser.add_subparsers(dest="command", required=True)

    replay = commands.add_parser(
        "derive",
        help="replay client cases",
        description="Replays client cases and prints `ok ID`, or what differs from what the case expects.",
        epilog="Exit status: 0 all as expected, 1 something differs, 2 wrong use or a malformed file. "
        "Example: python3 -m entitled_client derive --case cases/client-*.json",
    )
    replay.add_argument("--case", nargs="+", type=Path, required=True, metavar="FILE", help="a client case")

    look = commands.add_parser(
        "watch",
        help="show what an account may use, and every change",
        description="Shows what an account may use, and every change, until Ctrl-C.",
        epilog="Example: python3 -m entitled_client watch --url http://127.0.0.1:8080 --app com.example.app "
        "--account a1a1a1a1-0000-4000-8000-00000000000a --token eyJ…",
    )
    look.add_argument("--url", required=True, type=_address, help="the service's address")
    look.add_argument("--app", required=True, metavar="BUNDLE", help="the app's bundle id")
    look.add_argument("--account", required=True, type=_account, metavar="UUID", help="the account that is signed in")
    look.add_argument("--token", required=True, help="its device token")
    look.add_argument("--environment", default="Production", help="Production unless said")
    look.add_argument("--state", type=Path, default=Path(".entitled-client"), metavar="DIR", help="the cache")
    look.add_argument("--jwks", type=Path, metavar="FILE", help="the pinned keys (default: the published ones)")
    look.add_argument("--push", type=Path, nargs="+", default=[], metavar="FILE", help="JWS to hand over")
    return parser


if __name__ == "__main__":
    sys.exit(main())
