"""The scripts of Research/, on drawn photographs."""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy
import pytest
from PIL import Image

import photos

RESEARCH = pathlib.Path(__file__).resolve().parents[2] / "Research"


def script(name, *arguments):
    done = subprocess.run([sys.executable, str(RESEARCH / name), *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_script_can_be_started():
    scripts = [path for path in RESEARCH.rglob("*.py") if path.read_text().startswith("#!")]
    assert len(scripts) > 5
    assert [path.name for path in scripts if not os.access(path, os.X_OK)] == []


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


def changed(index, tmp_path, changes, *arguments):
    """The script's table and, for every change, photographs and masks."""
    table = script("robustness/run.py", index, tmp_path / "out", "--change", *changes, *arguments)
    pictures = {}
    for change in changes:
        folder = tmp_path / "out" / change.replace(":", "_")
        with open(folder / "index.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        assert [row["eye"] for row in rows] == ["OD", "OD"]
        pictures[change] = [tuple(numpy.asarray(Image.open(folder / row[key])) for key in ("image", "mask")) for row in rows]
    return table, pictures


def test_photos_changed_in_shape_hold_their_disc(index, tmp_path, build):
    table, pictures = changed(index, tmp_path, ["none=0", "cut=1.5", "turn=90"], "--program", build / "bin" / "NPSNetEvaluate")
    for (photo, mask), width in zip(pictures["cut=1.5"], (152, 136)):  # the second is cut off by the photograph's own edge
        assert photo.shape[:2] == mask.shape
        assert abs(mask.shape[1] - width) <= 1 and abs(mask.shape[0] - 152) <= 1
        assert (mask >= 64).any(0).sum() == 101 and (mask >= 64).any(1).sum() == 101
    for plain, turned in zip(pictures["none=0"], pictures["turn=90"]):
        assert all((numpy.rot90(a) == b).all() for a, b in zip(plain, turned))
    rows = table.splitlines()[2:]
    assert [row.split("|")[1].strip() for row in rows] == ["none=0", "cut=1.5", "turn=90"]
    assert all(0 < float(value) < 1 for row in rows for value in row.split("|")[2].split("/")[:2])


def test_photos_changed_in_appearance_keep_their_mask(index, tmp_path):
    changes = ["gamma=1.5", "gain=1.25:1:0.6", "exposure=0.5", "saturation=0", "contrast=0.5", "green=0", "haze=0.4", "shade=0.4",
               "vignetting=0.6", "blur=3", "noise=10", "jpeg=25"]
    _, pictures = changed(index, tmp_path, ["none=0", *changes], "--model")
    plain, truth = pictures["none=0"][0]
    at = {"rim": (140, 190), "left": (140, 60), "right": (140, 240)}  # row, column
    for change in changes:
        photo, mask = pictures[change][0]
        assert (mask == truth).all() and photo.shape == plain.shape and (photo != plain).any(), change
    value = {change: {name: pictures[change][0][0][where].astype(int) for name, where in at.items()} for change in ["none=0", *changes]}
    before = value["none=0"]["rim"]
    assert abs(value["gamma=1.5"]["rim"] - 255 * (before / 255) ** 1.5).max() <= 1
    assert abs(value["gain=1.25:1:0.6"]["rim"] - before * [1.25, 1, 0.6]).max() <= 1
    assert abs(value["exposure=0.5"]["rim"] - before / 2).max() <= 1
    assert numpy.ptp(value["saturation=0"]["rim"]) == 0 and abs(value["saturation=0"]["rim"][0] - before.mean()) <= 1
    assert abs(value["contrast=0.5"]["rim"] - (before + 127.5) / 2).max() <= 1
    assert (value["green=0"]["rim"] == before[1]).all()
    assert abs(value["haze=0.4"]["rim"] - (0.6 * before + 0.4 * 153)).max() <= 1
    assert (value["shade=0.4"]["left"] < value["none=0"]["left"]).all() and (value["shade=0.4"]["right"] > value["none=0"]["right"]).all()
    assert (value["vignetting=0.6"]["left"] < value["none=0"]["left"]).all()


def test_a_larger_cup_gate_gives_larger_cups_in_every_range(run, index, tmp_path):
    model = photos.MODELS[0]
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


@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
def test_whole_photographs_are_counted_by_set_and_cup_size(tmp_path, front_door):
    """One photograph with its outline, the same where no cup was drawn, and as a crop of a set without whole photographs."""
    photo = photos.load(0)
    photo.save(tmp_path / "photo.png")
    y, x = numpy.mgrid[:photo.height, :photo.width]
    radius = numpy.hypot(x - 0.4 * photo.width, y - 0.5 * photo.height) / (photo.width / 10)
    for name, cup in (("mask", 0.55), ("bare", 0.0)):
        Image.fromarray(numpy.where(radius < cup, 255, numpy.where(radius < 1, 128, 0)).astype(numpy.uint8)).save(tmp_path / f"{name}.png")
    (tmp_path / "training.csv").write_text(
        "set,name,split,eye,cup,crop,mask,frame,frame_mask\n"
        "one,a,val,OD,,nowhere.png,nowhere.png,photo.png,mask.png\n"
        "one,b,val,OD,none,nowhere.png,nowhere.png,photo.png,bare.png\n"
        "two,a,val,OD,,photo.png,mask.png,,\n"
        "two,c,test,OD,,nowhere.png,nowhere.png,,\n")
    model = photos.MODELS[0]
    table = script("end_to_end/run.py", tmp_path / "training.csv", tmp_path / "out", "--model", model, "--npsnet", front_door)
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()]
    assert [row[:2] for row in rows[2:]] == [["one", "1"], ["one, no cup drawn", "1"], ["two", "1"], ["true vCDR 0.5 to 0.6", "2"],
                                             ["all with a cup", "2"]]
    assert rows[2][2] == rows[4][2]
    assert rows[3][2].startswith("0.000 / ")


@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
def test_the_locator_is_counted_photo_by_photo(tmp_path, build):
    """A sample with a mask on its disc, the same with a mask elsewhere, and a page of text: right, wrong, not found."""
    photo = photos.load(0)
    photo.save(tmp_path / "photo.png")
    located = subprocess.run([build / "bin" / "NPSNetLocate", tmp_path / "photo.png", "--json"], capture_output=True, text=True)
    place = json.loads(located.stdout)["center"]
    y, x = numpy.mgrid[:photo.height, :photo.width]
    rows = ["image,mask"]
    for name, picture, centre in (("right", photo, place), ("wrong", photo, (place[0] / 3, place[1])),
                                  ("page", photos.pictures_of_no_eye()["page"].resize(photo.size), place)):
        mask = 128 * (numpy.hypot(x - centre[0], y - centre[1]) < photo.width / 16).astype(numpy.uint8)
        Image.fromarray(mask).save(tmp_path / f"{name}_mask.png")
        picture.save(tmp_path / f"{name}.png")
        rows.append(f"{name}.png,{name}_mask.png")
    (tmp_path / "index.csv").write_text("\n".join(rows) + "\n")
    table = script("robustness/locate.py", tmp_path / "index.csv", tmp_path / "out", "--change", "none=0", "away=0.2", "--program",
                   build / "bin" / "NPSNetLocate")
    assert table.splitlines()[2] == "| none=0 | 1 / 1 / 0 / 1 of 3 |"
    assert table.splitlines()[3].startswith("| away=0.2 | 0 / ")
    for mask in (tmp_path / "out" / "away=0.2").glob("*_mask.png"):
        assert Image.open(mask).getextrema() == (0, 0) and Image.open(mask).size == 2 * (round(0.2 * photo.height),)


@pytest.fixture
def training_index(index, tmp_path):
    """The drawn photographs as sets with two splits each, and a split `test` that nothing may read."""
    rows = ["set,name,split,eye,crop,mask"]
    for k in range(8):
        shutil.copy(tmp_path / "one.png", tmp_path / f"one{k}.png")
    for data_set in ("origa", "g1020", "refuge"):
        rows += [f"{data_set},one{k},train,OD,one{k}.png,one_mask.png" for k in range(8)]  # a batch
        rows.append(f"{data_set},two,val,OD,two.png,two_mask.png")
        rows.append(f"{data_set},three,test,OD,nowhere.png,nowhere_mask.png")
    (tmp_path / "training.csv").write_text("\n".join(rows) + "\n")
    return tmp_path / "training.csv"


@pytest.fixture
def front_door(tmp_path, build):
    """./npsnet without its look at the build."""
    path = tmp_path / "npsnet"
    path.write_text(f'#!/bin/sh\nverb=$1\nshift\ncase $verb in\n  train) exec "{build}/bin/NPSNetTrain" "$@" ;;\n'
                    f'  evaluate) exec "{build}/bin/NPSNetEvaluate" "$@" ;;\nesac\nexit 9\n')
    path.chmod(0o755)
    return path


def test_every_set_is_left_out_once(training_index, tmp_path, front_door):
    out = tmp_path / "unseen"
    table = script("unseen/run.py", training_index, out, "--crops", "1", "--sets", "g1020", "origa", "--npsnet", front_door)
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()[2:] if row]
    assert [row[:3] for row in rows] == [[f"{name}, {which}", seen, n] for name in ("g1020", "origa") for which, seen, n in (
        ("validation", "yes", "1"), ("validation", "no", "1"), ("training and validation", "no", "9"))]
    assert all(0 < float(row[3].split("/")[1]) <= 1 for row in rows)
    used = {name: json.loads((out / f"{name}.json").read_text())["data"]["sets"] for name in ("all", "without_g1020", "without_origa")}
    assert used == {"all": {"g1020": 1, "origa": 1}, "without_g1020": {"origa": 1}, "without_origa": {"g1020": 1}}
    stamps = {path: path.stat().st_mtime_ns for path in out.rglob("*.safetensors")}
    assert script("unseen/run.py", training_index, out, "--crops", "1", "--sets", "g1020", "origa", "--npsnet", front_door) == table
    assert stamps == {path: path.stat().st_mtime_ns for path in out.rglob("*.safetensors")}


def test_the_ablation_trains_every_variant_with_every_seed(training_index, tmp_path, front_door):
    out = tmp_path / "ablation"
    table = script("ablation/run.py", training_index, out, "--epochs", "1", "--seeds", "1", "2", "--npsnet", front_door)
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines() if row.startswith("| ")]
    assert [row[0] for row in rows] == ["model", "UNet", "M1 Polar UNet", "M2 + monotone", "M3 + nesting", "M4 + shape prior",
                                        "M5 + Polar-TTA"]
    disc = [json.loads((out / f"b4_{seed}" / "evaluation_off" / "summary.json").read_text())["disc_dice"]["mean"] for seed in (1, 2)]
    assert disc[0] != disc[1]
    assert rows[5][2] == f"{sum(disc) / 2:.3f} ({min(disc):.3f}–{max(disc):.3f})"
    assert {path.name for path in out.glob("*.json")} == {f"{v}_{s}.json" for v in ("unet", "b1", "b2", "b3", "b4") for s in (1, 2)}
