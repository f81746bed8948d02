"""What the scripts that train and evaluate several models have in common."""
import csv
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NPSNET = os.path.join(HERE, "..", "npsnet")


def evaluation_index(data_index, out, data_set, splits):
    """Rows of one set's splits as `image,mask,eye`, with absolute paths."""
    folder = os.path.dirname(os.path.abspath(data_index))
    path = os.path.join(out, "_".join([data_set, *splits]) + ".csv")
    with open(data_index, newline="") as source, open(path, "w", newline="") as target:
        writer = csv.writer(target)
        writer.writerow(["image", "mask", "eye"])
        for row in csv.DictReader(source):
            if row["set"] == data_set and row["split"] in splits:
                writer.writerow([os.path.join(folder, row["crop"]), os.path.join(folder, row["mask"]), row["eye"]])
    return path


def is_trained(folder, epochs):
    """Whether the log of a training has its last epoch."""
    try:
        with open(os.path.join(folder, "log.csv"), newline="") as file:
            return any(int(row["epoch"]) == epochs for row in csv.DictReader(file))
    except FileNotFoundError:
        return False


def train(npsnet, configuration, data_index, folder):
    """The model of a configuration; a training that was stopped goes on, one that is finished is not repeated."""
    if not is_trained(folder, configuration["epochs"]):
        with open(folder + ".json", "w") as file:
            json.dump(configuration, file, indent=2)
        resume = ["--resume"] if os.path.exists(os.path.join(folder, "checkpoint.pt")) else []
        subprocess.run([npsnet, "train", folder + ".json", "--index", data_index, "--out", folder, *resume],
                       check=True, stdout=sys.stderr)
    return os.path.join(folder, "last.safetensors")


def evaluate(npsnet, truth, results, model, *arguments):
    """The summary of an evaluation under the paper's protocol; one that is there already is not repeated."""
    summary_file = os.path.join(results, "summary.json")
    if not os.path.exists(summary_file):
        subprocess.run([npsnet, "evaluate", truth, "--out", results, "--protocol", "paper", "--model", model, *arguments],
                       check=True, stdout=sys.stderr)
    with open(summary_file) as file:
        return json.load(file)
