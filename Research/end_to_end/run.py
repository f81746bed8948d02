#!/usr/bin/env python3
"""What a person gets: whole photographs in, the truth nowhere used; a row for every set and for every range of the true
vertical cup-to-disc ratio, so that many middling cups cannot hide what becomes of small and large ones.

  run.py INDEX.csv OUT --model FILE ... [--split val] [--sets NAME ...] [--npsnet PATH]

INDEX.csv is that of a training; where a set has whole photographs (columns frame, frame_mask) they are taken, else its crops.
Photographs on which the grader drew no cup are rows of their own. A cell: cup Dice / disc Dice / vCDR error / bias / slope of
predicted on true vCDR / their correlation; then how many discs are below Dice 0.8, and how many of those have the status ok.
Prints the table; an evaluation that is there already is not repeated.
"""
import argparse
import csv
import os
import subprocess
import sys

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import trainings  # noqa: E402

EDGES = [0.3, 0.4, 0.5, 0.6, 0.7]


def write_index(data_index, path, split, sets):
    folder = os.path.dirname(os.path.abspath(data_index))
    with open(data_index, newline="") as source, open(path, "w", newline="") as target:
        writer = csv.writer(target)
        writer.writerow(["name", "set", "image", "mask", "eye"])
        for row in csv.DictReader(source):
            if row["split"] == split and row["mask"] and (not sets or row["set"] in sets):
                whole = bool(row.get("frame"))
                files = [row["frame" if whole else "crop"], row["frame_mask" if whole else "mask"]]
                name = row["set"] + (", no cup drawn" if row.get("cup") == "none" else "")
                writer.writerow([row["name"], name, *(os.path.join(folder, file) for file in files), row.get("eye", "")])


def evaluate(npsnet, truth, results, model):
    rows = os.path.join(results, "per_image.csv")
    if not os.path.exists(rows):
        done = subprocess.run([npsnet, "evaluate", truth, "--out", results, "--protocol", "end-to-end", "--model", model],
                              stdout=sys.stderr)
        if done.returncode not in (0, 2):  # 2: some photographs have no good result
            sys.exit(f"{model} could not be evaluated.")
    with open(rows, newline="") as file:
        return list(csv.DictReader(file))


def numbers(rows, column):
    return numpy.array([float(row[column] or "nan") for row in rows])


def cell(rows):
    predicted, true = numbers(rows, "vcdr_pred"), numbers(rows, "vcdr_truth")
    both = ~numpy.isnan(predicted + true)
    error = (predicted - true)[both]
    text = f"{numbers(rows, 'cup_dice').mean():.3f} / {numbers(rows, 'disc_dice').mean():.3f}"
    if len(error):
        text += f" / {abs(error).mean():.3f} / {error.mean():+.3f}"
    if len(error) > 2 and numpy.ptp(true[both]) > 0 and numpy.ptp(predicted[both]) > 0:
        text += f" / {numpy.polyfit(true[both], predicted[both], 1)[0]:.2f} / {numpy.corrcoef(true[both], predicted[both])[0, 1]:.2f}"
    wrong = [row for row in rows if float(row["disc_dice"]) < 0.8]
    return f"{text}; {len(wrong)}, {sum(row['status'] == 'ok' for row in wrong)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("out")
    parser.add_argument("--model", nargs="+", required=True)
    parser.add_argument("--split", default="val")
    parser.add_argument("--sets", nargs="+")
    parser.add_argument("--npsnet", default=trainings.NPSNET)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    truth = os.path.join(options.out, f"{options.split}.csv")
    write_index(options.index, truth, options.split, options.sets)
    tables = [evaluate(options.npsnet, truth, os.path.join(options.out, f"{options.split}_{k}"), model)
              for k, model in enumerate(options.model)]
    lines = ["| photographs | n | " + " | ".join(os.path.basename(model) for model in options.model) + " |",
             "|---" * (2 + len(tables)) + "|"]

    def add(name, belongs):
        groups = [[row for row in table if belongs(row)] for table in tables]
        if groups[0]:
            lines.append(f"| {name} | {len(groups[0])} | " + " | ".join(map(cell, groups)) + " |")

    for name in dict.fromkeys(row["set"] for row in tables[0]):
        add(name, lambda row, name=name: row["set"] == name)
    drawn = [row for row in tables[0] if float(row["vcdr_truth"] or 0) > 0]
    true = {(row["set"], row["name"]): float(row["vcdr_truth"]) for row in drawn}
    for low, high in zip([0.0, *EDGES], [*EDGES, 2.0]):
        name = f"below {high:g}" if low == 0 else f"above {low:g}" if high == 2 else f"{low:g} to {high:g}"
        add("true vCDR " + name, lambda row, low=low, high=high: low <= true.get((row["set"], row["name"]), -1.0) < high)
    add("all with a cup", lambda row: (row["set"], row["name"]) in true)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
