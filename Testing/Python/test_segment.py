"""NPSNetSegment and NPSNetLocate as a shell user meets them."""

import csv
import gzip
import json
import pathlib
import re
import signal
import subprocess
import time

import jsonschema
import numpy
import pytest
from PIL import Image

import photos
from answers import one_sentence

FAST = photos.FAST
SUFFIXES = ["_labels.nrrd", ".seg.nrrd", "_rim.csv", "_metrics.json", "_overlay.png", "_report.html"]


@pytest.fixture(scope="module")
def photo(tmp_path_factory):
    """A small photo of a right eye."""
    path = tmp_path_factory.mktemp("photo") / "small_OD.png"
    index = next(i for i, sample in enumerate(photos.SAMPLES) if sample.stem.endswith("OD"))
    photos.load(index).save(path)
    return path


def test_all_files_and_a_two_line_summary(run, photo, tmp_path):
    result = run("NPSNetSegment", photo, "--out", tmp_path / "out", *FAST)
    assert result.returncode == 0, result.stderr
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == sorted("small_OD" + suffix for suffix in SUFFIXES)
    lines = result.stdout.splitlines()
    assert len(lines) == 2 and "small_OD" in lines[0] and "vCDR" in lines[0] and "eye OD" in lines[0]
    metrics = json.loads((tmp_path / "out" / "small_OD_metrics.json").read_text())
    assert "NaN" not in json.dumps(metrics)
    overlay = Image.open(tmp_path / "out" / "small_OD_overlay.png")
    assert overlay.size == Image.open(photo).size


def test_default_is_beside_the_photo(run, photo, tmp_path):
    copy = tmp_path / "here_OS.png"
    copy.write_bytes(photo.read_bytes())
    result = run("NPSNetSegment", "here_OS.png", *FAST, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert all((tmp_path / f"here_OS{suffix}").is_file() for suffix in SUFFIXES)


def test_several_photos_and_eye(run, photo, tmp_path):
    other = tmp_path / "other.png"
    other.write_bytes(photo.read_bytes())
    result = run("NPSNetSegment", photo, other, "--out", tmp_path / "out", "--eye", "OS", *FAST)
    assert result.returncode == 0, result.stderr
    assert len(result.stdout.splitlines()) == 4
    assert result.stdout.count("eye OS") == 2


def test_same_stem_twice_is_refused(run, photo, tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / photo.name).write_bytes(photo.read_bytes())
    one_sentence(run("NPSNetSegment", photo, tmp_path / "b" / photo.name, "--out", tmp_path / "out"), 1, "same files", "batch")


def test_progress_tags_and_return_parameters_for_slicer(run, photo, tmp_path):
    result = run("NPSNetSegment", photo, "--labels", tmp_path / "labels.nrrd", "--rim-table", tmp_path / "rim.csv",
                 "--boundary", tmp_path / "b.json", "--returnparameterfile", tmp_path / "back.params", *FAST)
    assert result.returncode == 0, result.stderr
    assert "<filter-start>" in result.stdout and "</filter-end>" in result.stdout and "<filter-progress>" in result.stdout
    values = dict(line.split(" = ") for line in (tmp_path / "back.params").read_text().splitlines())
    assert values["status"] in ("ok", "low_confidence") and 0 < float(values["verticalCupToDiscRatio"]) < 1
    assert (tmp_path / "labels.nrrd").is_file() and (tmp_path / "rim.csv").is_file()
    assert json.loads((tmp_path / "b.json").read_text())
    assert not list(photo.parent.glob("*_metrics.json"))


def test_a_click_replaces_the_search(run, photo, tmp_path):
    metrics = {}
    for name, place in (("pixels", "300,240"), ("lps", "300,240,0")):
        result = run("NPSNetSegment", photo, "--metrics", tmp_path / f"{name}.json", "--center", place, *FAST)
        assert result.returncode == 0, result.stderr
        metrics[name] = json.loads((tmp_path / f"{name}.json").read_text())
        for volatile in ("seconds", "stage_seconds", "name", "input_file"):
            metrics[name].pop(volatile, None)
    # A PNG has origin 0, unit spacing and identity direction: physical points are its pixels.
    assert metrics["pixels"]["locator"]["method"] == "user" and metrics["pixels"]["locator"]["center_px"] == [300, 240]
    assert metrics["pixels"] == metrics["lps"]


def test_a_centre_outside_the_photo_is_refused(run, photo, tmp_path):
    for number, place in enumerate(("-5,-5", "10,5000")):
        result = run("NPSNetSegment", photo, "--out", tmp_path / str(number), f"--center={place}", *FAST)
        one_sentence(result, 2, photo.name, "outside the photograph of 640 x")
        metrics = json.loads((tmp_path / str(number) / "small_OD_metrics.json").read_text())
        assert metrics["status"] == "failed" and metrics["measurements"]["vcdr"] is None


@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
def test_a_disc_outside_the_photo_is_not_found(run, tmp_path):
    sample = photos.SAMPLES[0]
    run("NPSNetSegment", sample, "--out", tmp_path, "--center", "0,0", *FAST)
    metrics = json.loads((tmp_path / f"{sample.stem}_metrics.json").read_text())
    assert metrics["status"] == "not_found" and metrics["measurements"]["vcdr"] is None
    assert not (tmp_path / f"{sample.stem}_labels.nrrd").exists()


def test_positions_are_pixel_indices_where_pixels_are_no_squares(run, tmp_path):
    photos.write_dicom(tmp_path / "flat_OD.dcm", photos.load(0).resize((640, 720)), laterality="R", spacing_mm=(0.004, 0.006))
    found = tmp_path / "found.json"
    assert run("NPSNetSegment", tmp_path / "flat_OD.dcm", "--metrics", found, "--labels", tmp_path / "labels.nrrd",
               *FAST).returncode == 0
    header, pixels = (tmp_path / "labels.nrrd").read_bytes().split(b"\n\n", 1)
    if b"encoding: gzip" in header:
        pixels = gzip.decompress(pixels)
    disc = numpy.frombuffer(pixels, numpy.uint8).reshape(720, 640) > 0
    centre = [float(position.mean()) for position in numpy.nonzero(disc)[::-1]]
    metrics = json.loads(found.read_text())
    assert metrics["measurements"]["disc_centroid_px"] == pytest.approx(centre, abs=1.0)
    # What a viewer shows is what --center and --roi take.
    x, y = (round(value) for value in centre)
    given = tmp_path / "given.json"
    for option, place in (("--center", f"{x},{y}"), ("--roi", f"{x},{y},150,150")):
        assert run("NPSNetSegment", tmp_path / "flat_OD.dcm", "--metrics", given, option, place, *FAST).returncode == 0
        metrics = json.loads(given.read_text())
        assert metrics["locator"]["center_px"] == pytest.approx([x, y])
        assert metrics["measurements"]["disc_centroid_px"] == pytest.approx(centre, abs=8.0)
    assert metrics["crop"]["center_px"] == pytest.approx([x, y])
    if photos.HAS_MODELS:
        located = json.loads(run("NPSNetLocate", tmp_path / "flat_OD.dcm", "--json", "--threads", "1").stdout)
        assert located["center"] == pytest.approx(centre, abs=25.0)


def test_a_transparent_colour_of_a_palette_is_a_colour(run, photo, tmp_path):
    picture = Image.open(photo).quantize(64)
    colour = picture.getpixel((320, 240))
    values = []
    for name, options in (("opaque", {}), ("transparent", {"transparency": colour})):
        picture.save(tmp_path / f"{name}.png", **options)
        run("NPSNetSegment", tmp_path / f"{name}.png", "--metrics", tmp_path / "metrics.json", "--center", "320,240", *FAST)
        values.append(json.loads((tmp_path / "metrics.json").read_text())["measurements"])
    assert values[0] == values[1]


@pytest.mark.parametrize("name, content", [("zero.jpg", b""), ("text.jpg", b"no photo at all\n" * 20)])
def test_bad_files(run, tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    one_sentence(run("NPSNetSegment", tmp_path / name, *FAST), 1, name)
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
@pytest.mark.parametrize("module", ["NPSNetSegment", "NPSNetLocate"])
def test_the_exit_code_does_not_depend_on_the_order(run, tmp_path, module):
    Image.new("RGB", (320, 240), 0).save(tmp_path / "black.png")
    (tmp_path / "zero.jpg").write_bytes(b"")
    options = [*FAST, "--out", tmp_path / "out"] if module == "NPSNetSegment" else []
    for names in (["zero.jpg", "black.png"], ["black.png", "zero.jpg"]):
        assert run(module, *(tmp_path / name for name in names), *options).returncode == 1, names
    assert run(module, tmp_path / "black.png", *options).returncode == 2


@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
@pytest.mark.parametrize("module", ["NPSNetSegment", "NPSNetLocate"])
def test_ctrl_c_is_a_sentence(build, photo, tmp_path, module):
    copies = [tmp_path / f"photo{i}_OD.png" for i in range(200)]
    for copy in copies:
        copy.symlink_to(photo)
    words = [build / "bin" / module, *copies, *(FAST if module == "NPSNetSegment" else [])]
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=60)[1]
    assert "photo0_OD" in first
    assert process.returncode == 3 and re.search(r"stopped after \d+ of 200 photos", errors), errors
    assert not list(tmp_path.glob(".tmp*")) and not list(tmp_path.glob("photo199_OD_*"))


def test_a_file_size_limit_is_a_sentence(run, photo, tmp_path):
    limit = ["bash", "-c", "ulimit -f $0; exec \"$@\"", 50]
    (tmp_path / "out").mkdir()
    one_sentence(run("NPSNetSegment", photo, "--out", tmp_path / "out", *FAST, prefix=limit), 4, "File too large")
    assert not list((tmp_path / "out").iterdir())
    one_sentence(run("NPSNetBatch", photo, "--out", tmp_path / "batch", *FAST, prefix=limit), 4, "File too large")


SINGLE = {"--labels": "l.nrrd", "--rim-table": "r.tsv", "--metrics": "m.json", "--report": "r.html", "--overlay": "o.png",
          "--segmentation": "s.seg.nrrd", "--boundary": "b.JSON"}


def test_single_files_have_the_names_of_what_they_are(run, photo, tmp_path):
    words = [word for option, name in SINGLE.items() for word in (option, name)]
    result = run("NPSNetSegment", photo, *words, *FAST, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert sorted(result.stdout.splitlines()[1].split()[-len(SINGLE):]) == sorted(SINGLE.values())
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(SINGLE.values())
    assert Image.open(tmp_path / "o.png").size == Image.open(photo).size
    for option, name in SINGLE.items():
        ending = name[name.index("."):].lower()
        one_sentence(run("NPSNetSegment", photo, option, "x.jpg", cwd=tmp_path), 1, option, ending, "not x.jpg")
    one_sentence(run("NPSNetSegment", photo, "--overlay", photo), 1, "the photo itself")
    one_sentence(run("NPSNetSegment", photo, photo, "--compare-eyes", "x.txt", cwd=tmp_path), 1, "--compare-eyes", ".html")


def test_results_of_an_earlier_run_do_not_stay(run, photo, tmp_path):
    names = ["person_OD.png", "person_OS.png"]
    for name in names:
        (tmp_path / name).write_bytes(photo.read_bytes())
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "other_report.html").write_text("another program's")
    both = ["NPSNetSegment", *(tmp_path / name for name in names), "--out", tmp_path / "out", "--compare-eyes",
            tmp_path / "both.html", *FAST]
    single = ["NPSNetSegment", tmp_path / names[1], "--metrics", tmp_path / "m.json", "--labels", tmp_path / "l.nrrd", *FAST]
    for words in (both, single):
        assert run(*words).returncode == 0
    assert (tmp_path / "both.html").is_file() and (tmp_path / "l.nrrd").is_file()
    (tmp_path / names[1]).write_bytes(b"")
    again = run(*both)
    assert again.returncode == 1
    assert "person_OS.png" in again.stderr and "both.html was not written" in again.stderr, again.stderr
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == sorted(["other_report.html", *(f"person_OD{s}" for s in SUFFIXES)])
    one_sentence(run(*single), 1, names[1])
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([*names, "out"])


def test_mistakes(run, photo, tmp_path):
    one_sentence(run("NPSNetSegment"), 1, "no photo")
    one_sentence(run("NPSNetSegment", tmp_path / "gone.jpg", *FAST), 1, "gone.jpg")
    one_sentence(run("NPSNetSegment", photo, "--model", tmp_path / "gone.pth"), 1, "gone.pth")
    one_sentence(run("NPSNetSegment", photo, "--eye", "left"), 1, "--eye takes one of")
    one_sentence(run("NPSNetSegment", photo, "--centre", "1,2"), 1, "no option --centre")
    one_sentence(run("NPSNetSegment", photo, "--center", "1", *FAST), 1, "--center takes X,Y")
    for region in ("300,240,-10,10", "300,240,10,0", "300,240,0,10,-1,0", "300,240,0,0,0,0"):
        one_sentence(run("NPSNetSegment", photo, "--roi", region, *FAST), 1, "--roi")
    one_sentence(run("NPSNetSegment", photo, "--um-per-pixel", "-4"), 1, "--um-per-pixel")
    one_sentence(run("NPSNetSegment", photo, "--threads", "-7"), 1, "--threads")
    one_sentence(run("NPSNetSegment", photo, photo, "--labels", tmp_path / "l.nrrd"), 1, "one photo")


@pytest.mark.parametrize("module", ["NPSNetSegment", "NPSNetLocate", "NPSNetBench"])
def test_threads_have_an_upper_bound(run, photo, module):
    one_sentence(run(module, *([photo] if module != "NPSNetBench" else []), "--threads", "100000"), 1, "--threads takes", "100000")


@pytest.mark.parametrize("module", ["NPSNetSegment", "NPSNetBatch", "NPSNetLocate", "NPSNetEvaluate", "NPSNetTrain"])
def test_every_module_tells_about_itself(run, module):
    for flag, part in (("--help", "Exit codes"), ("--xml", "<executable>"), ("--version", module)):
        result = run(module, flag)
        assert result.returncode == 0 and part in result.stdout and result.stderr == "", flag
    assert run(module, "--nonsense").returncode == 1


def test_the_help_of_locate_tells_what_is_certain(run):
    header = (photos.ROOT / "ITKFilters" / "include" / "itkOpticNerveHeadLocator.h").read_text()
    certain = re.search(r"m_CertaintyThreshold{ ([\d.]+) }", header).group(1)
    assert f"Below {certain} the status is low_confidence" in " ".join(run("NPSNetLocate", "--help").stdout.split())


@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
def test_locate(run, photo, tmp_path):
    result = run("NPSNetLocate", photo, "--json", "--threads", "1")
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    found = found[0] if isinstance(found, list) else found
    width, height = Image.open(photo).size
    assert 0 < found["center"][0] < width and 0 < found["center"][1] < height
    assert 0.03 * width < found["diameter"] < 0.4 * width
    assert 0 <= found["confidence"] <= 1
    for value, decimals in ((found["confidence"], 4), (found["diameter"], 2), (found["center"][0], 2)):
        assert value == round(value, decimals)
    one_sentence(run("NPSNetLocate", photo, "--threads", "-7"), 1, "--threads")
    one_sentence(run("NPSNetLocate", photo, "--output", tmp_path / "no" / "where.json"), 4, "where.json")


@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
def test_locate_uses_as_many_threads_as_it_is_told(build, photo):
    most = {}
    for number in (1, 4):
        words = [build / "bin" / "NPSNetLocate", *[photo] * 40, "--threads", str(number)]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None:
                tasks = pathlib.Path(f"/proc/{process.pid}/task")
                most[number] = max(most.get(number, 0), len(list(tasks.glob("*"))))
                time.sleep(0.01)
        assert process.returncode == 0
    assert most[1] <= 2 and most[4] >= 4  # the model file is hashed by one of its own


@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
@pytest.mark.parametrize("cut, status", [(photos.doubtful_vessels, "low_confidence"), (photos.vessels, "not_found")])
def test_vessels_are_no_disc(run, tmp_path, cut, status):
    cut().save(tmp_path / "vessels.png")
    result = run("NPSNetSegment", tmp_path / "vessels.png", "--metrics", tmp_path / "metrics.json",
                 "--returnparameterfile", tmp_path / "back.params", *FAST)
    back = dict(line.split(" = ") for line in (tmp_path / "back.params").read_text().splitlines())
    metrics = json.loads((tmp_path / "metrics.json").read_text())
    located = json.loads(run("NPSNetLocate", tmp_path / "vessels.png", "--json", "--threads", "1").stdout)
    assert metrics["status"] == located["status"] == status
    if status == "not_found":
        assert result.returncode == 2
        assert metrics["locator"]["center_px"] is located["center"] is located["diameter"] is None
        assert {value for name, value in back.items() if name.endswith("Ratio")} == {"nan"}
    else:
        assert result.returncode == 0, result.stderr
        assert metrics["flags"][0] == "uncertain_location" and "without certainty" in metrics["message"]


@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
def test_no_disc_is_certain_in_a_picture_of_no_eye(run, tmp_path):
    pictures = photos.pictures_of_no_eye()
    for name, picture in pictures.items():
        picture.save(tmp_path / f"{name}.png")
    found = run("NPSNetLocate", *sorted(tmp_path.glob("*.png")), "--json", "--threads", "1")
    statuses = {pathlib.Path(entry["image"]).stem: entry["status"] for entry in json.loads(found.stdout)}
    assert found.returncode == 2 and statuses.keys() == pictures.keys()
    assert "ok" not in statuses.values(), statuses
    assert statuses["page"] == statuses["galaxy"] == "not_found"


@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
def test_lost_answers_are_no_success(build, photo):
    with open("/dev/full", "w") as full:
        metrics = photo.with_name("metrics.json")
        for words in (["NPSNetLocate", photo, "--json"], ["NPSNetSegment", photo, "--metrics", metrics, *FAST]):
            result = subprocess.run([str(build / "bin" / words[0]), *map(str, words[1:])], stdout=full, stderr=subprocess.PIPE,
                                    text=True)
            one_sentence(result, 4, "standard output")


def test_a_name_with_a_newline_stays_on_its_line(run, photo, tmp_path):
    (tmp_path / "two\nlines_OD.png").write_bytes(photo.read_bytes())
    result = run("NPSNetSegment", tmp_path / "two\nlines_OD.png", "--metrics", tmp_path / "metrics.json", *FAST)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("two lines_OD: ") and len(result.stdout.splitlines()) == 2


def test_a_disc_of_a_few_pixels_is_not_measured_with_confidence(run, photo, tmp_path):
    Image.open(photo).resize((14, 14)).save(tmp_path / "tiny.png")
    run("NPSNetSegment", tmp_path / "tiny.png", "--no-locate", "--metrics", tmp_path / "metrics.json", *FAST)
    metrics = json.loads((tmp_path / "metrics.json").read_text())
    assert metrics["status"] == "low_confidence" and "implausible_size" in metrics["flags"]


def test_what_is_no_model_has_a_cure(run, photo, tmp_path):
    (tmp_path / "text.pth").write_text("no weights")
    for given, part in ((tmp_path, "is a folder"), (tmp_path / "none.pth", "no such file"), (tmp_path / "text.pth", "give one")):
        one_sentence(run("NPSNetSegment", photo, "--model", given), 1, given.name, part)


def test_dicom_tells_eye_and_calibration_but_no_name(run, tmp_path):
    photos.write_dicom(tmp_path / "image.dcm", photos.load(0), laterality="L", spacing_mm=0.02)
    result = run("NPSNetSegment", tmp_path / "image.dcm", "--out", tmp_path / "out", *FAST)
    assert result.returncode == 0, result.stderr
    assert "eye OS" in result.stdout
    written = b"".join(path.read_bytes() for path in (tmp_path / "out").iterdir())
    for secret in (b"DOE^JANE", b"JANE DOE", b"SECRET-4711", b"19500101", b"ACC-4711"):
        assert secret not in written and secret.decode() not in result.stdout + result.stderr
    metrics = json.loads((tmp_path / "out" / "image_metrics.json").read_text())
    assert metrics["calibration"] == {"um_per_px": 20.0, "source": "dicom"} and metrics["eye_source"] == "dicom"
    kept = run("NPSNetSegment", tmp_path / "image.dcm", "--out", tmp_path / "kept", "--keep-identifiers", *FAST)
    assert kept.returncode == 0, kept.stderr
    metrics = json.loads((tmp_path / "kept" / "image_metrics.json").read_text())
    jsonschema.validate(metrics, json.loads((photos.ROOT / "Resources" / "Schemas" / "metrics.schema.json").read_text()))
    identifiers = metrics["identifiers"]
    assert identifiers["PatientID"] == "SECRET-4711" and identifiers["PatientName"] == "DOE^JANE"


def test_frame_of_a_dicom_is_chosen(run, tmp_path):
    picture = photos.load(0)
    black = Image.new("RGB", picture.size)
    photos.write_dicom(tmp_path / "two.dcm", black, picture, laterality="R")
    photos.write_dicom(tmp_path / "one.dcm", picture, laterality="R")
    values = {}
    for name, frame in (("one", "0"), ("two", "1")):
        result = run("NPSNetSegment", tmp_path / f"{name}.dcm", "--metrics", tmp_path / f"{name}.json", "--frame", frame, *FAST)
        assert result.returncode == 0, result.stderr
        values[name] = json.loads((tmp_path / f"{name}.json").read_text())["measurements"]
    assert values["one"]["vcdr"] > 0 and values["one"] == values["two"]
    one_sentence(run("NPSNetSegment", tmp_path / "two.dcm", "--frame", "2", *FAST), 1, "two.dcm", "frame")


def test_read_only_folder_is_a_sentence(run, photo, tmp_path):
    (tmp_path / "out").mkdir(mode=0o555)
    result = run("NPSNetSegment", photo, "--out", tmp_path / "out", *FAST, prefix=photos.AS_A_USER)
    one_sentence(result, 4, str(tmp_path / "out"))
    assert not list((tmp_path / "out").iterdir())


def test_both_eyes_of_a_person(run, tmp_path):
    for eye in ("OD", "OS"):
        index = next(i for i, sample in enumerate(photos.SAMPLES) if sample.stem.endswith(eye))
        photos.load(index).save(tmp_path / f"person_{eye}.png")
    pair = [tmp_path / "person_OS.png", tmp_path / "person_OD.png"]
    out = ["--out", tmp_path / "out"]
    result = run("NPSNetSegment", *pair, *out, "--compare-eyes", tmp_path / "both.csv", *FAST)
    assert result.returncode == 0, result.stderr
    with open(tmp_path / "both.csv", newline="") as file:
        rows = {(row["group"], row["name"]): row for row in csv.DictReader(file)}
    ratio = rows["ratio", "vcdr"]
    for column, eye in (("od", "OD"), ("os", "OS")):
        metrics = json.loads((tmp_path / "out" / f"person_{eye}_metrics.json").read_text())
        assert float(ratio[column]) == pytest.approx(metrics["measurements"]["vcdr"], abs=1e-6)
    assert float(ratio["difference"]) == pytest.approx(float(ratio["od"]) - float(ratio["os"]), abs=1e-6)
    result = run("NPSNetSegment", *pair, *out, "--compare-eyes", tmp_path / "both.html", *FAST)
    assert result.returncode == 0, result.stderr
    page = (tmp_path / "both.html").read_text()
    assert "person_OD" in page and "person_OS" in page and "Research use" in page and page.count("data:image") == 2
    nowhere = run("NPSNetSegment", *pair, *out, "--compare-eyes", "/proc/npsnet/both.html", *FAST)
    one_sentence(nowhere, 4, "/proc/npsnet")
    assert nowhere.stdout == ""  # before the work, not after it
    assert run("NPSNetSegment", *pair, *out, "--compare-eyes", tmp_path / "new" / "both.csv", *FAST).returncode == 0
    assert (tmp_path / "new" / "both.csv").is_file()
    one_sentence(run("NPSNetSegment", pair[0], "--compare-eyes", tmp_path / "x.html", *FAST), 1, "two photos")
    same = run("NPSNetSegment", *pair, *out, "--eye", "OD", "--compare-eyes", tmp_path / "x.html", *FAST)
    one_sentence(same, 1, "a right and a left eye")
    assert not (tmp_path / "x.html").exists()
