#!/usr/bin/env python3
"""How much of a rim profile is plain anatomy? Correlates the mean profile of the training photographs, mirrored for left
eyes, with the true profile of each validation photograph (the paper's rim profile: 360 rays about the disc box's centre).

usage: mean_profile.py INDEX.csv [SET]     (columns set,split,eye,mask; needs numpy and pillow)
"""
import csv
import os
import sys

import numpy
from PIL import Image


def rim_profile(file_name):
    mask = numpy.asarray(Image.open(file_name))
    rows, columns = numpy.nonzero(mask >= 64)
    centre = (columns.min() + columns.max()) / 2, (rows.min() + rows.max()) / 2
    half_side = max(numpy.ptp(columns), numpy.ptp(rows)) + 1  # half of a crop twice as wide as the disc
    angles = numpy.deg2rad(numpy.arange(360))
    radii = numpy.arange(256)[:, None] / 255
    x = numpy.rint(centre[0] + half_side * radii * numpy.cos(angles)).astype(int)
    y = numpy.rint(centre[1] + half_side * radii * numpy.sin(angles)).astype(int)
    inside = (x >= 0) & (y >= 0) & (x < mask.shape[1]) & (y < mask.shape[0])
    labels = numpy.where(inside, mask[y.clip(0, mask.shape[0] - 1), x.clip(0, mask.shape[1] - 1)], 0)

    def last(foreground):
        return numpy.where(foreground.any(0), 255 - foreground[::-1].argmax(0), 0) / 255

    return last(labels >= 64) - last(labels >= 192)


def as_right_eye(profile, eye):
    return profile[(180 - numpy.arange(360)) % 360] if eye == "OS" else profile


def main(index, name="origa"):
    folder = os.path.dirname(os.path.abspath(index))
    with open(index, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["set"] == name and row["eye"] in ("OD", "OS")]
    profiles = {"train": [], "val": []}
    for row in rows:
        if row["split"] in profiles:
            profiles[row["split"]].append(as_right_eye(rim_profile(os.path.join(folder, row["mask"])), row["eye"]))
    mean = numpy.mean(profiles["train"], 0)
    correlations = [numpy.corrcoef(mean, profile)[0, 1] for profile in profiles["val"] if profile.std() >= 1e-6]
    print(f"{name}: {len(profiles['train'])} training, {len(correlations)} validation photographs, "
          f"mean correlation {numpy.mean(correlations):.3f}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
