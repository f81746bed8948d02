#!/usr/bin/env python3
"""What other cameras, other crops and turned photographs do to a model: the same photographs, changed and evaluated anew.

usage: run.py INDEX.csv OUT [--model FILE ...] [--change CHANGE ...]     (columns image,mask; needs numpy and pillow)

Writes OUT/CHANGE/index.csv with the changed photographs, evaluates it under the paper's protocol and prints a row for every
change: cup Dice / disc Dice / vCDR error / vCDR bias / rim correlation of every model (the default model if none is named).
Changed photographs that are there already are not made again. Changes are NAME=AMOUNT; lengths count in 1/256 of the paper's crop:

  none=0           the photograph as it is
  cut=FACTOR       cut to a square about the disc as some sets publish them; the side in units of the disc's box
  away=SHARE       cut to a square without the disc, the brightest one; the side in units of the photograph's shorter side
  turn=DEGREES     turned counter-clockwise by a multiple of 90
  gamma=EXPONENT   gain=RED:GREEN:BLUE   exposure=FACTOR   saturation=FACTOR   contrast=FACTOR   green=0 (its channel alone)
  haze=SHARE       of a veil of grey 153
  shade=SHARE      less light on the left, more on the right      vignetting=SHARE   less light in the crop's corners
  blur=LENGTH      noise=STANDARD_DEVIATION   jpeg=QUALITY
"""
import argparse
import csv
import io
import json
import os
import subprocess

import numpy
from PIL import Image, ImageFilter

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(HERE, "..", "..", "Resources", "Models")
MODEL = os.path.join(MODELS, "npsnet-default.safetensors")
TABLE = ["none=0", "cut=1.5", "cut=1.15", "turn=90", "gamma=0.65", "gamma=1.5", "gain=1.25:1:0.6", "gain=0.75:1:1.5",
         "gain=0.8:1.3:1", "exposure=0.45", "exposure=1.5", "saturation=0.4", "saturation=1.5", "contrast=0.5", "green=0",
         "haze=0.4", "shade=0.4", "vignetting=0.6", "blur=2", "blur=3", "noise=10", "jpeg=25"]


def holds_disc(mask):
    return mask.getextrema()[1] >= 64


class Disc:
    """Middle of a mask's disc and the larger side of its box, in pixels."""

    def __init__(self, mask):
        y, x = numpy.nonzero(numpy.asarray(mask) >= 64)
        self.x, self.y = (x.min() + x.max() + 1) / 2, (y.min() + y.max() + 1) / 2
        self.side = float(max(numpy.ptp(x), numpy.ptp(y)) + 1)


def shape_of(name, amount, photo, mask, disc):
    """Photograph and mask after a change of what is in the picture."""
    if name == "turn":
        return photo.rotate(float(amount), expand=True), mask.rotate(float(amount), expand=True)
    if name == "cut":
        half = float(amount) * disc.side / 2
        box = [round(max(0, disc.x - half)), round(max(0, disc.y - half)),
               round(min(photo.width, disc.x + half)), round(min(photo.height, disc.y + half))]
        return photo.crop(box), mask.crop(box)
    if name == "away":
        side = round(float(amount) * min(photo.size))
        boxes = [(x, y, x + side, y + side) for x in range(0, photo.width - side + 1, side // 4)
                 for y in range(0, photo.height - side + 1, side // 4)]
        box = max((box for box in boxes if not holds_disc(mask.crop(box))), key=lambda box: numpy.asarray(photo.crop(box)).mean())
        return photo.crop(box), mask.crop(box)
    return photo, mask


def appearance_of(name, amount, photo, disc, random):
    """Photograph after a change of its camera."""
    unit = 2 * disc.side / 256
    if name == "blur":
        return photo.filter(ImageFilter.GaussianBlur(float(amount) * unit))
    if name == "jpeg":
        packed = io.BytesIO()
        photo.save(packed, "JPEG", quality=int(amount))
        return Image.open(packed)
    pixels = numpy.asarray(photo, dtype=float) / 255
    grey = pixels.mean(2, keepdims=True)
    y, x = numpy.mgrid[:photo.height, :photo.width]
    x, y = ((x - disc.x) / disc.side)[..., None], ((y - disc.y) / disc.side)[..., None]  # the paper's crop is within -1 to 1
    numbers = numpy.array([float(part) for part in amount.split(":")])
    changed = {
        "gamma": lambda: pixels ** numbers,
        "gain": lambda: pixels * numbers,
        "exposure": lambda: pixels * numbers,
        "saturation": lambda: grey + (pixels - grey) * numbers,
        "contrast": lambda: 0.5 + (pixels - 0.5) * numbers,
        "green": lambda: numpy.repeat(pixels[..., 1:2], 3, 2),
        "haze": lambda: pixels * (1 - numbers) + 0.6 * numbers,
        "shade": lambda: pixels * (1 + numbers * numpy.clip(x, -1, 1)),
        "vignetting": lambda: pixels * (1 - numbers * numpy.clip((x ** 2 + y ** 2) / 2, 0, 1)),
        "noise": lambda: pixels + random.normal(0, numbers / 255, pixels.shape),
    }[name]()
    return Image.fromarray(numpy.rint(255 * numpy.clip(changed, 0, 1)).astype(numpy.uint8))


def write_photographs(index, out, change):
    name, amount = change.split("=")
    folder = os.path.dirname(os.path.abspath(index))
    random = numpy.random.default_rng(2026)
    os.makedirs(out, exist_ok=True)
    with open(index, newline="") as file:
        rows = list(csv.DictReader(file))
    for number, row in enumerate(rows):
        photo = Image.open(os.path.join(folder, row["image"])).convert("RGB")
        mask = Image.open(os.path.join(folder, row["mask"]))
        disc = Disc(mask)
        if name in ("none", "cut", "away", "turn"):
            photo, mask = shape_of(name, amount, photo, mask, disc)
        else:
            photo = appearance_of(name, amount, photo, disc, random)
        stem = f"{number:04d}_" + os.path.splitext(os.path.basename(row["image"]))[0]
        row["image"], row["mask"] = stem + ".png", stem + "_mask.png"
        photo.save(os.path.join(out, row["image"]), compress_level=1)
        mask.save(os.path.join(out, row["mask"]))
    with open(os.path.join(out, "index.csv"), "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def figures(program, index, out, model):
    subprocess.run([*program, index, "--out", out, "--protocol", "paper", "--tta", "off", "--model", model],
                   check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(out, "summary.json")) as file:
        summary = json.load(file)
    cup, disc, ratio, rim = (summary[key]["mean"] for key in ("cup_dice", "disc_dice", "vcdr_mae", "rim_corr"))
    return f"{cup:.3f} / {disc:.3f} / {ratio:.3f} / {summary['vcdr_agreement']['bias']:+.3f} / {rim:.2f}"


def print_table(options, cell):
    """A row for every change, made where it is missing, with the cell of every model."""
    print("| change |" + "".join(f" {os.path.basename(model)} |" for model in options.model))
    print("|---|" + "---|" * len(options.model))
    for change in options.change:
        folder = os.path.join(options.out, change.replace(":", "_"))
        if not os.path.exists(os.path.join(folder, "index.csv")):
            write_photographs(options.index, folder, change)
        cells = [cell(folder, number, model) for number, model in enumerate(options.model)]
        print(f"| {change} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("out")
    parser.add_argument("--model", nargs="*", default=[MODEL], help="none at all: only the photographs are made")
    parser.add_argument("--change", nargs="+", default=TABLE)
    parser.add_argument("--program", nargs="+", default=[os.path.join(HERE, "..", "..", "npsnet"), "evaluate"])
    options = parser.parse_args()
    print_table(options, lambda folder, number, model: figures(
        options.program, os.path.join(folder, "index.csv"), os.path.join(folder, f"evaluation_{number}"), model))


if __name__ == "__main__":
    main()
