#!/usr/bin/env python3
"""Copies of photographs cut to a square about their disc, as some sets publish them, with an index for ./npsnet evaluate.

usage: cut_photos.py INDEX.csv OUT FACTOR     (columns image,mask; needs numpy and pillow)

FACTOR is the side of what is left in units of the disc's box; the paper's crop is twice the box, so below 2 it has a black frame.
"""
import csv
import os
import sys

import numpy
from PIL import Image


def main(index, out, factor):
    folder = os.path.dirname(os.path.abspath(index))
    os.makedirs(out, exist_ok=True)
    with open(index, newline="") as file:
        rows = list(csv.DictReader(file))
    for number, row in enumerate(rows):
        photo = Image.open(os.path.join(folder, row["image"])).convert("RGB")
        mask = Image.open(os.path.join(folder, row["mask"]))
        y, x = numpy.nonzero(numpy.asarray(mask) >= 64)
        half = float(factor) * (max(numpy.ptp(x), numpy.ptp(y)) + 1) / 2
        centre = (x.min() + x.max() + 1) / 2, (y.min() + y.max() + 1) / 2
        box = [round(max(0, centre[0] - half)), round(max(0, centre[1] - half)),
               round(min(photo.width, centre[0] + half)), round(min(photo.height, centre[1] + half))]
        name = f"{number:04d}_" + os.path.splitext(os.path.basename(row["image"]))[0]
        photo.crop(box).save(os.path.join(out, name + ".png"))
        mask.crop(box).save(os.path.join(out, name + "_mask.png"))
        row["image"], row["mask"] = name + ".png", name + "_mask.png"
    with open(os.path.join(out, "index.csv"), "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
