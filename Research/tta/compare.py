#!/usr/bin/env python3
"""Which test-time augmentation is worth its time: every mode on the same validation crops, and how often `fast` agrees
with `full`.

  PYTHONPATH=build/python build/stack/venv/bin/python Research/tta/compare.py INDEX.csv [MODEL] [--split val]

INDEX.csv is that of the training. One table for the paper's crops (twice the disc's box, centred on it) and one for
crops moved and scaled as the protocol `jittered` does. Agreement is the same winner, or cup and disc Dice of at least
0.995 between the two results. Passes count the network's work, whatever else the machine does meanwhile.
"""
import argparse
import csv
import os
import random
import time

import npsnet
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
MODES = [("off", False), ("off", True), ("fast", False), ("fast", True), ("full", False)]


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


def rim(disc, cup):
    """Rim width on 360 rays about the crop's centre, the last foreground sample of 256."""
    half = len(disc) / 2.0
    angles = np.radians(np.arange(360.0))
    reach = np.linspace(0.0, half, 256)[:, None]
    x = np.clip(np.round(half - 0.5 + reach * np.cos(angles)).astype(int), 0, len(disc) - 1)
    y = np.clip(np.round(half - 0.5 + reach * np.sin(angles)).astype(int), 0, len(disc) - 1)

    def last(mask):
        hits = mask[y, x]
        return np.where(hits.any(axis=0), 255 - hits[::-1].argmax(axis=0), 0) / 255.0
    return last(disc) - last(cup)


def correlation(a, b):
    return np.corrcoef(a, b)[0, 1] if min(a.std(), b.std()) > 1e-6 else np.nan


def winner(found):
    best = found["hypotheses"][found["winner"]]
    return best["dx"], best["dy"], best["scale"]


def compare(network, rows, folder, jitter):
    random.seed(2026)
    size = network.metadata["architecture"]["crop_size"]
    figures = {mode: [] for mode in MODES}
    agreed = []
    for row in rows:
        photo = npsnet.read(os.path.join(folder, row["crop"]))
        truth = npsnet.read(os.path.join(folder, row["mask"])).array[..., 0]
        crop, truth = crop_of(photo, truth, size, jitter)
        truth = truth > 64, truth > 192
        results = {}
        for mode in MODES:
            start = time.perf_counter()
            found = network.segment_crop(crop, tta=mode[0], flip_average=mode[1])
            seconds = time.perf_counter() - start
            labels = npsnet.labels(npsnet.regularize(found["boundary"], crop), crop).array
            disc, cup = labels > 0, labels > 1
            results[mode] = (found, disc, cup)
            passes = sum(entry["full_pass"] for entry in found["hypotheses"]) * (2 if mode[1] else 1)
            figures[mode].append((dice(cup, truth[1]), dice(disc, truth[0]),
                                  abs(vertical_ratio(disc, cup) - vertical_ratio(*truth)),
                                  correlation(rim(disc, cup), rim(*truth)), passes, 1e3 * seconds))
        fast, full = results[("fast", False)], results[("full", False)]
        same = winner(fast[0]) == winner(full[0])
        close = [dice(a, b) for a, b in zip(fast[1:], full[1:])]
        agreed.append((same or min(close) >= 0.995, min(close) >= 0.995, min(close)))
    print(f"\n{len(agreed)} crops, {'jittered' if jitter else 'paper'} protocol\n")
    print("| TTA | cup Dice | disc Dice | vCDR error | rim correlation | passes | ms a crop |")
    print("|---|---|---|---|---|---|---|")
    for mode, values in figures.items():
        cup, disc, ratio, rims, passes, milliseconds = np.nanmean(values, axis=0)
        name = mode[0] + (" + flips" if mode[1] else "")
        print(f"| {name} | {cup:.4f} | {disc:.4f} | {ratio:.4f} | {rims:.4f} | {passes:.1f} | {milliseconds:.0f} |")
    agrees, within, least = np.transpose(agreed)
    print(f"\nfast agrees with full on {100.0 * agrees.mean():.1f} % of the crops ({100.0 * within.mean():.1f} % by Dice"
          f" alone; smaller of both Dice: 5th percentile {np.percentile(least, 5):.4f}, least {least.min():.4f})",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("model", nargs="?", default=os.path.join(HERE, "..", "..", "Resources", "Models", "npsnet-default.safetensors"))
    parser.add_argument("--split", default="val")
    parser.add_argument("--limit", type=int, default=0, help="crops per set")
    parser.add_argument("--protocol", choices=("paper", "jittered", "both"), default="both")
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    counts = {}
    rows = []
    with open(options.index, newline="") as file:
        for row in csv.DictReader(file):
            if row["split"] == options.split and row["crop"]:
                counts[row["set"]] = counts.get(row["set"], 0) + 1
                if not options.limit or counts[row["set"]] <= options.limit:
                    rows.append(row)
    network = npsnet.Network(options.model, threads=options.threads)
    folder = os.path.dirname(os.path.abspath(options.index))
    for protocol in ("paper", "jittered"):
        if options.protocol in (protocol, "both"):
            compare(network, rows, folder, protocol == "jittered")


if __name__ == "__main__":
    main()
