#!/usr/bin/env python3
"""Figures of evaluations by ranges of the true vertical cup-to-disc ratio, because the many middling cups of a set hide what
becomes of small and large ones; and how alike the models err.

usage: by_cup_size.py PER_IMAGE.csv [PER_IMAGE.csv ...]     (of ./npsnet evaluate on the same photographs; needs numpy)

A row each: cup Dice / disc Dice / vCDR error / vCDR bias / rim correlation. With several files also the correlation of their
vCDR errors: near 1, the models share their errors, and no mean of them can be much better than each.
"""
import csv
import sys

import numpy

COLUMNS = {"cup_dice", "disc_dice", "vcdr_pred", "vcdr_truth", "rim_corr"}
EDGES = [0.45, 0.55, 0.7]
NAMES = [f"below {EDGES[0]:g}"] + [f"{a:g} to {b:g}" for a, b in zip(EDGES, EDGES[1:])] + [f"above {EDGES[-1]:g}"]


def read(file_name):
    with open(file_name, newline="") as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    return {name: {key: float(value) for key, value in row.items() if key in COLUMNS and value} for name, row in rows.items()}


def figures(rows):
    bias = [row["vcdr_pred"] - row["vcdr_truth"] for row in rows if "vcdr_pred" in row]
    mean = [numpy.mean([row[name] for row in rows if name in row]) for name in ("cup_dice", "disc_dice", "rim_corr")]
    return f"{mean[0]:.3f} / {mean[1]:.3f} / {numpy.mean(numpy.abs(bias)):.3f} / {numpy.mean(bias):+.3f} / {mean[2]:.2f}"


def main(files):
    models = [read(file) for file in files]
    names = [name for name, row in models[0].items() if "vcdr_truth" in row and all(name in model for model in models)]
    group = {name: int(numpy.digitize(models[0][name]["vcdr_truth"], EDGES)) for name in names}
    for k, label in enumerate(NAMES):
        mine = [name for name in names if group[name] == k]
        if mine:
            print(f"| {label} | {len(mine)} | " + " | ".join(figures([model[name] for name in mine]) for model in models) + " |")
    print(f"| all | {len(names)} | " + " | ".join(figures([model[name] for name in names]) for model in models) + " |")
    if len(models) > 1:
        both = [name for name in names if all("vcdr_pred" in model[name] for model in models)]
        errors = [[model[name]["vcdr_pred"] - model[name]["vcdr_truth"] for name in both] for model in models]
        print("correlation of the vCDR errors:")
        print(numpy.array2string(numpy.corrcoef(errors), precision=2, suppress_small=True))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
