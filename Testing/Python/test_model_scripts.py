"""The scripts that the model card names, on drawn photographs."""
import csv
import pathlib
import subprocess
import sys

import numpy
import pytest
from PIL import Image

MODELS = pathlib.Path(__file__).resolve().parents[2] / "Resources" / "Models"


def script(name, *arguments):
    done = subprocess.run([sys.executable, str(MODELS / name), *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def index(tmp_path):
    """Two drawn photographs with an eccentric disc, the second at the edge of the picture."""
    rows = ["image,mask,eye"]
    y, x = numpy.mgrid[:300, :400]
    for name, centre in (("one", (150, 140)), ("two", (60, 200))):
        radius = numpy.hypot(x - centre[0], y - centre[1])
        mask = numpy.where(radius <= 20, 255, numpy.where(radius <= 50, 128, 0)).astype(numpy.uint8)
        Image.fromarray(mask).save(tmp_path / f"{name}_mask.png")
        Image.fromarray(numpy.stack([100 + mask // 2, 60 + mask // 4, 30 + mask // 8], -1)).save(tmp_path / f"{name}.png")
        rows.append(f"{name}.png,{name}_mask.png,OD")
    (tmp_path / "index.csv").write_text("\n".join(rows) + "\n")
    return tmp_path / "index.csv"


def test_cut_photos_hold_their_disc(index, tmp_path):
    script("robustness/cut_photos.py", index, tmp_path / "cut", 1.5)
    with open(tmp_path / "cut" / "index.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["eye"] for row in rows] == ["OD", "OD"]
    for row, width in zip(rows, (152, 136)):  # the second is cut off by the photograph's own edge
        mask = numpy.asarray(Image.open(tmp_path / "cut" / row["mask"]))
        assert Image.open(tmp_path / "cut" / row["image"]).size == mask.shape[::-1]
        assert abs(mask.shape[1] - width) <= 1 and abs(mask.shape[0] - 152) <= 1
        assert (mask >= 64).any(0).sum() == 101 and (mask >= 64).any(1).sum() == 101


def test_a_larger_cup_gate_gives_larger_cups_in_every_range(run, index, tmp_path):
    model = MODELS / "npsnet-default.safetensors"
    script("calibration/shift_cup.py", model, tmp_path / "shifted.safetensors", 3)
    tables = []
    for name, file in (("plain", model), ("shifted", tmp_path / "shifted.safetensors")):
        done = run("NPSNetEvaluate", index, "--out", tmp_path / name, "--model", file)
        assert done.returncode == 0, done.stderr
        tables.append(tmp_path / name / "per_image.csv")
    lines = script("calibration/by_cup_size.py", *tables).splitlines()
    assert lines[0].startswith("| below 0.45 | 2 | ") and lines[1].startswith("| all | 2 | ")
    plain, shifted = (float(cell.split("/")[3]) for cell in lines[1].split("|")[3:5])
    assert shifted > plain
    assert lines[2] == "correlation of the vCDR errors:"
