"""NPSNetEvaluate as a shell user meets it."""

import csv
import json

import pytest
from PIL import Image

import photos
from answers import one_sentence

FAST = ["--tta", "off", "--threads", "1"]
if not photos.HAS_MODELS:
    pytest.skip("the default models are not in Resources/Models", allow_module_level=True)


def expert(index=0):
    """The expert's mask of photos.load(index)."""
    sample = photos.SAMPLES[index]
    return Image.open(sample.with_name(sample.stem + "_mask.png")).resize(photos.load(index).size, Image.NEAREST)


def write_index(path, rows):
    path.parent.mkdir(exist_ok=True)
    columns = list(rows[0])
    path.write_text("\n".join(",".join(line) for line in [columns, *([row[column] for column in columns] for row in rows)]) + "\n")
    return path


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """Two photos with their masks; what an index says of them."""
    folder = tmp_path_factory.mktemp("pair")
    rows = []
    for k in range(2):
        photos.load(k).save(folder / f"photo{k}.png")
        expert(k).save(folder / f"mask{k}.png")
        rows.append({"image": str(folder / f"photo{k}.png"), "mask": str(folder / f"mask{k}.png")})
    return rows


@pytest.fixture(scope="module")
def evaluated(run, pair, tmp_path_factory):
    folder = tmp_path_factory.mktemp("evaluated")
    result = run("NPSNetEvaluate", write_index(folder / "index.csv", pair), "--out", folder, *FAST)
    assert result.returncode == 0 and result.stderr == "", result.stderr
    return folder


def summary(folder):
    return json.loads((folder / "summary.json").read_text())


def test_rows_that_cannot_be_used_are_told(run, pair, tmp_path):
    Image.new("L", (50, 40)).save(tmp_path / "small.png")
    Image.new("L", photos.load(0).size).save(tmp_path / "empty.png")
    image = pair[0]["image"]
    bad = [{"image": image, "mask": str(tmp_path / name), "name": name[:-4]} for name in ("gone.png", "small.png", "empty.png")]
    bad.append({"image": str(tmp_path / "gone.jpg"), "mask": pair[0]["mask"], "name": "noimage"})
    good = {**pair[0], "name": "good"}

    result = run("NPSNetEvaluate", write_index(tmp_path / "some.csv", [*bad, good]), "--out", tmp_path / "some", *FAST)
    one_sentence(result, 2, "4 of 5 rows could not be used", "first: gone: ", "gone.png")
    found = summary(tmp_path / "some")
    assert (found["n"], found["missing_images"], found["unusable_masks"]) == (1, 1, 3)

    result = run("NPSNetEvaluate", write_index(tmp_path / "none.csv", bad), "--out", tmp_path / "none", *FAST)
    one_sentence(result, 1, "4 of 4 rows could not be used")
    assert summary(tmp_path / "none")["n"] == 0


def test_an_evaluation_does_not_differ_from_itself(run, pair, evaluated, tmp_path):
    for k, row in enumerate(pair):  # the same stem twice
        (tmp_path / f"{k}").mkdir()
        (tmp_path / f"{k}" / "photo.png").write_bytes(open(row["image"], "rb").read())
    index = write_index(tmp_path / "index.csv", [{"image": f"{k}/photo.png", "mask": row["mask"]} for k, row in enumerate(pair)])
    result = run("NPSNetEvaluate", index, "--out", tmp_path / "a", *FAST)
    assert result.returncode == 0, result.stderr
    with open(tmp_path / "a" / "per_image.csv", newline="") as file:
        assert [row["name"] for row in csv.DictReader(file)] == ["0/photo", "1/photo"]
    result = run("NPSNetEvaluate", index, "--out", tmp_path / "b", "--compare", tmp_path / "a" / "per_image.csv", *FAST)
    assert result.returncode == 0, result.stderr
    for metric, test in json.loads((tmp_path / "b" / "comparison.json").read_text()).items():
        assert test["p_value"] is None and test["n_different"] == 0, metric
    assert not (tmp_path / "a" / "comparison.json").exists()
    twice = write_index(tmp_path / "twice.csv", [pair[0], pair[0]])
    one_sentence(run("NPSNetEvaluate", twice, "--out", tmp_path / "c", *FAST), 1, "photo0", "name")


def test_what_cannot_be_compared_is_refused_at_once(run, pair, evaluated, tmp_path):
    index = evaluated / "index.csv"
    lines = (evaluated / "per_image.csv").read_text().splitlines()
    for name, text, part in (
        ("double.csv", [*lines, lines[1]], "two rows named photo0"),
        ("others.csv", [lines[0], lines[1].replace("photo0", "photo7")], "in common"),
        ("header.csv", lines[:1], "in common"),
        ("index.csv", index.read_text().splitlines(), "per_image.csv"),
        ("gone.csv", None, "gone.csv"),
    ):
        if text:
            (tmp_path / name).write_text("\n".join(text) + "\n")
        one_sentence(run("NPSNetEvaluate", index, "--out", tmp_path / "out", "--compare", tmp_path / name, *FAST), 1, part)
    assert not (tmp_path / "out").exists()


def test_all_files_or_none_when_the_disk_is_full(run, evaluated, tmp_path):
    kibibytes = (evaluated / "evaluation.html").stat().st_size // 1024 - 4  # room for every other file
    limit = ["bash", "-c", "trap '' XFSZ; ulimit -f $0; exec \"$@\"", kibibytes]
    result = run("NPSNetEvaluate", evaluated / "index.csv", "--out", tmp_path / "out", *FAST, prefix=limit)
    one_sentence(result, 4, "evaluation.html")
    assert not list((tmp_path / "out").iterdir())


@pytest.mark.parametrize("orientation", [3, 6])
def test_masks_are_stored_as_their_photo_is(run, evaluated, tmp_path, orientation):
    photos.write_exif(tmp_path / "photo0.jpg", photos.load(0), orientation)
    expert(0).transpose(photos.STORED[orientation]).save(tmp_path / "mask0.png")
    segmented = run("NPSNetSegment", tmp_path / "photo0.jpg", "--labels", tmp_path / "labels.nrrd", *FAST)
    assert segmented.returncode == 0, segmented.stderr
    rows = [{"image": "photo0.jpg", "mask": name, "name": name} for name in ("mask0.png", "labels.nrrd")]
    index = write_index(tmp_path / "index.csv", rows)
    result = run("NPSNetEvaluate", index, "--out", tmp_path / "out", "--protocol", "end-to-end", *FAST)
    assert result.returncode == 0, result.stderr
    with open(tmp_path / "out" / "per_image.csv", newline="") as file:
        found = {row["name"]: row for row in csv.DictReader(file)}
    assert float(found["labels.nrrd"]["disc_dice"]) > 0.99  # its own labels
    assert float(found["mask0.png"]["disc_dice"]) > 0.9
    # The side of a photo that lies is another one.
    if orientation == 6:
        expert(0).save(tmp_path / "mask0.png")
        one_sentence(run("NPSNetEvaluate", index, "--out", tmp_path / "out", *FAST), 2, "1 of 2 rows", "as stored")


def test_the_index_of_the_sample_photographs_can_be_evaluated(run, tmp_path):
    for sample in photos.SAMPLES[:2]:
        for path in (sample, sample.with_name(f"{sample.stem}_mask.png")):
            (tmp_path / path.name).symlink_to(path)
    lines = (photos.SAMPLES[0].with_name("index.csv")).read_text().splitlines()
    kept = [line for line in lines if line.split(",")[0] in [sample.stem for sample in photos.SAMPLES[:2]]]
    (tmp_path / "index.csv").write_text("\n".join([lines[0], *kept]) + "\n")
    result = run("NPSNetEvaluate", tmp_path / "index.csv", "--out", tmp_path / "out", *FAST)
    assert result.returncode == 0, result.stderr
    with open(tmp_path / "out" / "per_image.csv", newline="") as file:
        assert {row["name"] for row in csv.DictReader(file)} == {sample.stem for sample in photos.SAMPLES[:2]}
    result = run("NPSNetBatch", tmp_path / "index.csv", "--out", tmp_path / "batch", "--files", "none", *FAST)
    assert result.returncode == 0 and result.stdout.startswith("2 photos"), result.stderr


def test_mistakes(run, evaluated, tmp_path):
    for option in ("--threads", "--seed"):
        one_sentence(run("NPSNetEvaluate", evaluated / "index.csv", "--out", tmp_path / "out", option, "-7"), 1, option)
    one_sentence(run("NPSNetEvaluate", tmp_path / "gone.csv", "--out", tmp_path / "out"), 1, "gone.csv")
    (tmp_path / "file").write_text("")
    one_sentence(run("NPSNetEvaluate", evaluated / "index.csv", "--out", tmp_path / "file" / "out"), 4, "is a file")
    (tmp_path / "locked").mkdir(mode=0o555)
    locked = run("NPSNetEvaluate", evaluated / "index.csv", "--out", tmp_path / "locked" / "out", prefix=photos.AS_A_USER)
    one_sentence(locked, 4, "Permission denied")
