#!/usr/bin/env python3
"""What to expect of photographs from a clinic that training never saw: every set of photographs is left out once.

  run.py INDEX.csv OUT [--npsnet PATH] [--crops N] [--sets NAME ...]

Trains one model on all sets and one without each (base.json; N photographs in all, and rare cups more often), and evaluates
both on the validation photographs of the set that was left out, the second also on its training photographs, which it never
saw either. Splits named `test` stay untouched. Writes OUT/unseen.md; started again it goes on where it was stopped.
"""
import argparse
import csv
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "calibration")]
import by_cup_size  # noqa: E402
import trainings  # noqa: E402


def epochs_of(data_index, sets, crops):
    with open(data_index, newline="") as file:
        photographs = sum(row["set"] in sets and row["split"] == "train" for row in csv.DictReader(file))
    return max(1, round(crops / photographs))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("out")
    parser.add_argument("--npsnet", default=trainings.NPSNET)
    parser.add_argument("--crops", type=int, default=16000)
    parser.add_argument("--sets", nargs="+", default=["origa", "refuge", "g1020"])
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)

    def model_of(name, sets):
        with open(os.path.join(HERE, "base.json")) as file:
            configuration = json.load(file)
        configuration["data"]["sets"] = {one: 1 for one in sets}
        configuration["epochs"] = epochs_of(options.index, sets, options.crops)
        return trainings.train(options.npsnet, configuration, options.index, os.path.join(options.out, name))

    def cells_of(model, name, data_set, splits):
        truth = trainings.evaluation_index(options.index, options.out, data_set, splits)
        results = os.path.join(options.out, "_".join([name, data_set, *splits]))
        trainings.evaluate(options.npsnet, truth, results, model)
        rows = list(by_cup_size.read(os.path.join(results, "per_image.csv")).values())
        return f"{len(rows)} | {by_cup_size.figures(rows)}"

    everything = model_of("all", options.sets)
    table = ["| set | trained with it | n | cup Dice / disc Dice / vCDR error / vCDR bias / rim correlation |", "|---|---|---|---|"]
    for left_out in options.sets:
        without = "without_" + left_out
        model = model_of(without, [one for one in options.sets if one != left_out])
        table.append(f"| {left_out}, validation | yes | {cells_of(everything, 'all', left_out, ['val'])} |")
        table.append(f"| {left_out}, validation | no | {cells_of(model, without, left_out, ['val'])} |")
        table.append(f"| {left_out}, training and validation | no | {cells_of(model, without, left_out, ['train', 'val'])} |")
    text = "\n".join(table) + "\n"
    with open(os.path.join(options.out, "unseen.md"), "w") as file:
        file.write(text)
    print(text)


if __name__ == "__main__":
    main()
