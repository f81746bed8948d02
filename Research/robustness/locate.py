#!/usr/bin/env python3
"""What other cameras and turned photographs do to the locator: whole photographs, changed and looked at anew.

usage: locate.py INDEX.csv OUT [--model FILE ...] [--change CHANGE ...]     (columns image,mask; needs numpy and pillow)

Photographs and changes are those of run.py. A row for every change: of the photographs, how many have their disc (centre within half
a disc radius), how many have a wrong place without a flag, how many are flagged as uncertain, how many are not found. Where no disc is in the picture (away=…), to be not found is right,
but counted as not found; what is found without a flag is wrong.
"""
import argparse
import csv
import json
import math
import os
import subprocess

from PIL import Image

import run

LOCATOR = os.path.join(run.MODELS, "onh-locator.safetensors")
CHANGES = [change for change in run.TABLE if not change.startswith("cut=")] + ["exposure=2.5", "away=0.3", "away=0.45"]


def is_on_disc(centre, mask):
    if not run.holds_disc(mask):
        return False
    disc = run.Disc(mask)
    return math.hypot(centre[0] + 0.5 - disc.x, centre[1] + 0.5 - disc.y) < disc.side / 4


def figures(program, folder, model):
    with open(os.path.join(folder, "index.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    answers = os.path.join(folder, "answers.json")
    found = subprocess.run([*program, *(os.path.join(folder, row["image"]) for row in rows), "--output", answers, "--model", model],
                           stdout=subprocess.DEVNULL)
    if found.returncode not in (0, 2):  # 2: one was not found
        raise SystemExit(found.returncode)
    with open(answers) as file:
        entries = json.load(file)
    if len(rows) == 1:
        entries = [entries]
    right = wrong = uncertain = missing = 0
    for row, entry in zip(rows, entries, strict=True):
        if entry["status"] == "not_found":
            missing += 1
            continue
        hit = is_on_disc(entry["center"], Image.open(os.path.join(folder, row["mask"])))
        right += hit
        wrong += not hit and entry["status"] == "ok"
        uncertain += entry["status"] == "low_confidence"
    return f"{right} / {wrong} / {uncertain} / {missing} of {len(rows)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("out")
    parser.add_argument("--model", nargs="+", default=[LOCATOR])
    parser.add_argument("--change", nargs="+", default=CHANGES)
    parser.add_argument("--program", nargs="+", default=[os.path.join(run.HERE, "..", "..", "npsnet"), "locate"])
    options = parser.parse_args()
    run.print_table(options, lambda folder, _, model: figures(options.program, folder, model))


if __name__ == "__main__":
    main()
