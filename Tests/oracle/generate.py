#!/usr/bin/env python3
"""Writes random histories with the oracle's expectations as case files.

Usage: generate.py FOLDER [--count N] [--seed S]

Seeds S, S+1, … make files H<seed>.json, the same ones every time. Check them with
`entitled derive --case FOLDER/*.json`.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import sys

from histories import History


def write(folder, seed):
    text = json.dumps(History(seed).case(), indent=1, ensure_ascii=False)
    (folder / f"H{seed}.json").write_text(text + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Writes random histories with expectations as case files.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    seeds = range(options.seed, options.seed + options.count)
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(write, [options.folder] * len(seeds), seeds, chunksize=20):
            pass
    print(f"{options.count} histories, seeds {seeds.start} to {seeds.stop - 1}, in {options.folder}", file=sys.stderr)


if __name__ == "__main__":
    main()
