#!/usr/bin/env python3
"""Which test-time augmentation is worth its time: every mode on the same validation crops, and how often the
coarse-to-fine search agrees with the exhaustive one.

  PYTHONPATH=build/python build/stack/venv/bin/python Resources/Models/tta/compare.py INDEX.csv [MODEL] [--split val]

INDEX.csv is that of the training. The crops are the paper's (twice the disc's box, centred on it); --jitter moves and
scales them as the protocol `jittered` does. Prints a table and the agreement of `fast` with `full`: the same winner, or
cup and disc Dice of at least 0.995 between the two results.
"""
import argparse
import csv
import os
import random
import time

import npsnet
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
MODES = [("off", False), ("off", True), ("fast", False), ("fast", True), ("full", False), ("reference", False)]


def dice(a, b):
    total = a.sum() + b.sum()
    return 1.0 if total == 0 else 2.0 * np.logical_and(a, b).sum() / total


def crop_of(photo, mask, size, jitter):
    """The paper's crop and its labels, both `size` pixels a side."""
    rows, columns = np.nonzero(mask)
    side = 2.0 * max(np.ptp(rows), np.ptp(columns)) + 2.0
    center = [(columns.min() + columns.max()) / 2.0, (rows.min() + rows.max()) / 2.0]
    if jitter:
        center = [c + side * random.uniform(-0.08, 0.08) for c in center]
        side *= 1.0 + random.uniform(-0.15, 0.15)
    crop = npsnet.crop(photo, center=center, side=side, pixels=size)
    at = [np.clip(np.round(c + ((np.arange(size) + 0.5) / size - 0.5) * side).astype(int), 0, n - 1)
          for c, n in zip(center, (mask.shape[1], mask.shape[0]))]
    return npsnet.clahe(crop), mask[np.ix_(at[1], at[0])]


def vertical_ratio(disc, cup):
    return np.ptp(np.nonzero(cup.any(axis=1))[0]) / np.ptp(np.nonzero(disc.any(axis=1))[0]) if cup.any() and disc.any() else 0.0


def winner(found):
    best = found["hypotheses"][found["winner"]]
    return best["dx"], best["dy"], best["scale"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("model", nargs="?", default=os.path.join(HERE, "..", "npsnet-default.safetensors"))
    parser.add_argument("--split", default="val")
    parser.add_argument("--limit", type=int, default=0, help="crops per set")
    parser.add_argument("--jitter", action="store_true")
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    random.seed(2026)
    network = npsnet.Network(options.model, threads=options.threads)
    size = network.metadata["architecture"]["crop_size"]
    folder = os.path.dirname(os.path.abspath(options.index))
    figures = {mode: [] for mode in MODES}
    agreed = []
    counts = {}
    with open(options.index, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["split"] == options.split and row["crop"]]
    for row in rows:
        counts[row["set"]] = counts.get(row["set"], 0) + 1
        if options.limit and counts[row["set"]] > options.limit:
            continue
        photo = npsnet.read(os.path.join(folder, row["crop"]))
        truth = npsnet.read(os.path.join(folder, row["mask"])).array[..., 0]
        crop, truth = crop_of(photo, truth, size, options.jitter)
        results = {}
        for mode in MODES:
            start = time.perf_counter()
            found = network.segment_crop(crop, tta=mode[0], flip_average=mode[1])
            seconds = time.perf_counter() - start
            labels = npsnet.labels(npsnet.regularize(found["boundary"], crop), crop).array
            disc, cup = labels > 0, labels > 1
            results[mode] = (found, disc, cup)
            figures[mode].append((dice(cup, truth > 192), dice(disc, truth > 64),
                                  abs(vertical_ratio(disc, cup) - vertical_ratio(truth > 64, truth > 192)), seconds))
        fast, full = results[("fast", False)], results[("full", False)]
        same = winner(fast[0]) == winner(full[0])
        agreed.append(same or (dice(fast[1], full[1]) >= 0.995 and dice(fast[2], full[2]) >= 0.995))
    print(f"{len(agreed)} crops of the split {options.split}{', jittered' if options.jitter else ''}\n")
    print("| TTA | cup Dice | disc Dice | vCDR error | ms a crop |\n|---|---|---|---|---|")
    for mode, values in figures.items():
        cup, disc, ratio, seconds = np.mean(values, axis=0)
        name = mode[0] + (" + flips" if mode[1] else "")
        print(f"| {name} | {cup:.4f} | {disc:.4f} | {ratio:.4f} | {1e3 * seconds:.0f} |")
    print(f"\nfast agrees with full on {100.0 * np.mean(agreed):.1f} % of the crops")


if __name__ == "__main__":
    main()
