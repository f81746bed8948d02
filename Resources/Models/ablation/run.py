#!/usr/bin/env python3
"""The paper's ablation at compact size: UNet, M1 Polar UNet, M2 monotone, M3 nesting, M4 shape prior, M5 TTA.

  run.py INDEX.csv OUT [--npsnet PATH] [--epochs N]

Trains every variant with the same data, epochs and seed (base.json), evaluates each under the paper protocol on the
ORIGA validation split and writes OUT/ablation.md. Started again it goes on where it was stopped.
"""
import argparse
import csv
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = [  # name, variant, TTA, masks: raw is P > 0.5 with nothing repaired, nested the product's own
    ("UNet", "unet", "off", "raw"),
    ("M1 Polar UNet", "b1", "off", "raw"),
    ("M2 + monotone", "b2", "off", "raw"),
    ("M3 + nesting", "b3", "off", "raw"),
    ("M4 + shape prior", "b4", "off", "raw"),
    ("M5 + Polar-TTA", "b4", "fast", "nested"),
]
METRICS = ["cup_dice", "disc_dice", "vcdr_mae", "rim_mae", "rim_corr", "validity"]


def evaluation_index(data_index, out, data_set="origa", split="val"):
    """Rows of one set and split as `image,mask,eye`, with absolute paths."""
    folder = os.path.dirname(os.path.abspath(data_index))
    path = os.path.join(out, f"{data_set}_{split}.csv")
    with open(data_index, newline="") as source, open(path, "w", newline="") as target:
        writer = csv.writer(target)
        writer.writerow(["image", "mask", "eye"])
        for row in csv.DictReader(source):
            if row["set"] == data_set and row["split"] == split:
                writer.writerow([os.path.join(folder, row["crop"]), os.path.join(folder, row["mask"]), row["eye"]])
    return path


def is_trained(folder, epochs):
    """Whether the log of a training has its last epoch."""
    try:
        with open(os.path.join(folder, "log.csv"), newline="") as file:
            return any(int(row["epoch"]) == epochs for row in csv.DictReader(file))
    except FileNotFoundError:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("out")
    parser.add_argument("--npsnet", default=os.path.join(HERE, "..", "..", "..", "npsnet"))
    parser.add_argument("--epochs", type=int)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(HERE, "base.json")) as file:
        base = json.load(file)
    if options.epochs:
        base["epochs"] = options.epochs
    truth = evaluation_index(options.index, options.out)

    table = ["| model | " + " | ".join(METRICS) + " |", "|---" * (len(METRICS) + 1) + "|"]
    for name, variant, tta, masks in ROWS:
        folder = os.path.join(options.out, variant)
        model = os.path.join(folder, "last.safetensors")
        if not is_trained(folder, base["epochs"]):
            configuration = os.path.join(options.out, variant + ".json")
            base["architecture"]["variant"] = variant
            with open(configuration, "w") as file:
                json.dump(base, file, indent=2)
            resume = ["--resume"] if os.path.exists(os.path.join(folder, "checkpoint.pt")) else []
            subprocess.run(
                [options.npsnet, "train", configuration, "--index", options.index, "--out", folder, *resume], check=True)
        results = os.path.join(folder, "evaluation_" + tta)
        summary_file = os.path.join(results, "summary.json")
        if not os.path.exists(summary_file):
            subprocess.run([options.npsnet, "evaluate", truth, "--out", results, "--protocol", "paper",
                            "--model", model, "--tta", tta, "--masks", masks], check=True)
        with open(summary_file) as file:
            summary = json.load(file)
        cells = []
        for metric in METRICS:
            value = summary.get(metric)
            cells.append("" if not value else "{mean:.4f} ({low:.4f}–{high:.4f})".format(
                mean=value["mean"], low=value["ci95"][0], high=value["ci95"][1]))
        table.append(f"| {name} | " + " | ".join(cells) + " |")
    text = (f"Equal budgets: {base['epochs']} epochs, seed {base['seed']}, base.json; ORIGA validation split, "
            "paper protocol, mean (95 % interval).\n\n" + "\n".join(table) + "\n")
    with open(os.path.join(options.out, "ablation.md"), "w") as file:
        file.write(text)
    print(text)


if __name__ == "__main__":
    main()
