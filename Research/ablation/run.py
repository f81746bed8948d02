#!/usr/bin/env python3
"""The paper's ablation at compact size: UNet, M1 Polar UNet, M2 monotone, M3 nesting, M4 shape prior, M5 TTA.

  run.py INDEX.csv OUT [--npsnet PATH] [--epochs N] [--seeds N ...]

Trains every variant with the same data and epochs once for every seed (base.json), evaluates each under the paper protocol on the
ORIGA validation split and writes OUT/ablation.md: the mean over the seeds, and from which to which value they go. Started again
it goes on where it was stopped.
"""
import argparse
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import trainings  # noqa: E402

ROWS = [  # name, variant, TTA, masks: raw is P > 0.5 with nothing repaired, nested the product's own
    ("UNet", "unet", "off", "raw"),
    ("M1 Polar UNet", "b1", "off", "raw"),
    ("M2 + monotone", "b2", "off", "raw"),
    ("M3 + nesting", "b3", "off", "raw"),
    ("M4 + shape prior", "b4", "off", "raw"),
    ("M5 + Polar-TTA", "b4", "fast", "nested"),
]
METRICS = ["cup_dice", "disc_dice", "vcdr_mae", "rim_mae", "rim_corr", "validity"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("out")
    parser.add_argument("--npsnet", default=trainings.NPSNET)
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--seeds", type=int, nargs="+", default=[2026, 2027, 2028])
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(HERE, "base.json")) as file:
        base = json.load(file)
    base["epochs"] = options.epochs or base["epochs"]
    truth = trainings.evaluation_index(options.index, options.out, "origa", ["val"])

    values = {name: {metric: [] for metric in METRICS} for name, *_ in ROWS}
    for seed in options.seeds:
        for name, variant, tta, masks in ROWS:
            folder = os.path.join(options.out, f"{variant}_{seed}")
            configuration = {**base, "seed": seed, "architecture": {**base["architecture"], "variant": variant}}
            model = trainings.train(options.npsnet, configuration, options.index, folder)
            summary = trainings.evaluate(options.npsnet, truth, os.path.join(folder, "evaluation_" + tta), model,
                                         "--tta", tta, "--masks", masks)
            for metric in METRICS:
                if summary.get(metric) and summary[metric]["mean"] is not None:
                    values[name][metric].append(summary[metric]["mean"])

    table = ["| model | " + " | ".join(METRICS) + " |", "|---" * (len(METRICS) + 1) + "|"]
    for name, row in values.items():
        cells = [f"{sum(found) / len(found):.3f} ({min(found):.3f}–{max(found):.3f})" if found else "" for found in row.values()]
        table.append(f"| {name} | " + " | ".join(cells) + " |")
    text = (f"Equal budgets: {base['epochs']} epochs, base.json; ORIGA validation split, paper protocol; mean of the seeds "
            f"{', '.join(map(str, options.seeds))} (least–most).\n\n" + "\n".join(table) + "\n")
    with open(os.path.join(options.out, "ablation.md"), "w") as file:
        file.write(text)
    print(text)


if __name__ == "__main__":
    main()
