"""NPSNetBatch as a screening team meets it: odd files, kills, full disks, shards."""

import contextlib
import csv
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest

import photos
from answers import one_sentence

AS_A_USER = photos.AS_A_USER
FAST = photos.FAST
MEMORY_LIMIT_MIB = 2048


def read_table(folder):
    """{name: row}; fails when a name comes twice."""
    with open(pathlib.Path(folder) / "results.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len({row["name"] for row in rows}) == len(rows)
    return {row["name"]: row for row in rows}


def without_time(folder):
    """The bytes of the table but for the last column, seconds."""
    lines = (pathlib.Path(folder) / "results.csv").read_bytes().split(b"\r\n")
    assert lines[0].endswith(b",seconds")
    return [line[: line.rfind(b",")] for line in lines]


def statuses(folder):
    return {name: row["status"] for name, row in read_table(folder).items()}


def make_photos(folder, count, seed=0):
    """Ordinary photos: samples, slightly shifted, so that no two are alike."""
    folder.mkdir(parents=True, exist_ok=True)
    cached = [photos.load(i) for i in range(len(photos.SAMPLES))]
    generator = random.Random(seed)
    for i in range(count):
        image = cached[i % len(cached)]
        left, top = generator.randrange(12), generator.randrange(12)
        eye = photos.SAMPLES[i % len(photos.SAMPLES)].stem[-2:]
        box = (left, top, image.width - 12 + left, image.height - 12 + top)
        image.crop(box).save(folder / f"photo{i:04d}_{eye}.jpg", quality=92)


def assert_no_stray_files(folder):
    """Nothing half-done: no temporary name anywhere, no staging folder."""
    for path in pathlib.Path(folder).rglob("*"):
        assert not re.search(r"\.tmp|stage|probe", path.name), path


class PeakMemory(threading.Thread):
    """Largest memory (proportional set size) of a program and all its children, in MiB."""

    def __init__(self, session):
        super().__init__(daemon=True)
        self.session, self.peak, self.ended = session, 0.0, threading.Event()
        self.start()

    def run(self):
        while not self.ended.wait(0.25):
            total = 0
            for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
                try:
                    if int(stat.read_text().rsplit(")", 1)[1].split()[3]) == self.session:
                        total += int(re.search(r"^Pss:\s+(\d+)", (stat.parent / "smaps_rollup").read_text(), re.M).group(1))
                except (OSError, AttributeError):
                    pass  # it ended while we looked
            self.peak = max(self.peak, total / 1024)


def run_measured(build, *arguments, prefix=(), timeout=1800):
    """(return code, stderr, peak memory in MiB)"""
    words = [str(word) for word in [*prefix, build / "bin" / "NPSNetBatch", *arguments]]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
    memory = PeakMemory(process.pid)
    errors = process.communicate(timeout=timeout)[1]
    memory.ended.set()
    memory.join()
    return process.returncode, errors, memory.peak


@pytest.fixture(scope="module")
def odd_run(build, tmp_path_factory):
    """About 60 inputs of all kinds, run once for several tests."""
    base = tmp_path_factory.mktemp("odd")
    source, out = base / "in", base / "out"
    make_photos(source / "clinic a", 30)
    make_photos(source / "clinic b", 8, seed=1)
    unreadable = photos.write_unreadable(source)
    absent = photos.write_without_disc(source)
    plain, tolerances = photos.write_variants(source)
    (source / "folder.jpg").mkdir()
    shutil.copy(source / plain, source / "folder.jpg" / "inside_OD.png")
    (source / "notes.txt").write_text("not a photo")
    (source / "Ünïcode, \"quoted\".png").write_bytes((source / plain).read_bytes())
    with open(os.fsencode(source) + b"/bad\xff\xfename.png", "wb") as file:
        file.write((source / plain).read_bytes())
    code, errors, peak = run_measured(build, source, "--out", out, "--jobs", "2", *FAST, prefix=AS_A_USER)
    return dict(source=source, out=out, code=code, errors=errors, peak=peak, unreadable=unreadable, absent=absent, plain=plain,
                tolerances=tolerances)


def test_every_input_has_exactly_one_row(odd_run):
    assert odd_run["code"] == 0, odd_run["errors"]
    table = read_table(odd_run["out"])
    expected = 30 + 8 + len(odd_run["unreadable"]) + len(odd_run["absent"]) + 1 + len(odd_run["tolerances"]) + 1 + 2
    assert len(table) == expected
    assert "notes.txt" not in table
    assert_no_stray_files(odd_run["out"])


def test_statuses_are_right(odd_run):
    found = statuses(odd_run["out"])
    for name in odd_run["unreadable"]:
        assert found[name] == "unreadable", (name, found[name])
    for name in odd_run["absent"] if photos.HAS_MODELS else []:
        assert found[name] == "not_found", (name, found[name])
    for name, status in found.items():
        if name not in odd_run["unreadable"] + odd_run["absent"]:
            assert status in ("ok", "low_confidence"), (name, status, read_table(odd_run["out"])[name]["message"])


def test_bad_rows_say_why(odd_run):
    for name, row in read_table(odd_run["out"]).items():
        if row["status"] == "ok":
            assert row["message"] == "", name
            assert 0 < float(row["vcdr"]) < 1, name
        else:
            assert row["message"].strip(), name
            assert "\n" not in row["message"], name
    assert "pixel" in read_table(odd_run["out"])["panorama.png"]["message"]
    for name in odd_run["absent"] if photos.HAS_MODELS else []:
        assert "center_x" in read_table(odd_run["out"])[name]["message"], name
    assert "use JPEG" in read_table(odd_run["out"])["phone.webp"]["message"]


def assert_same_numbers(table, reference, tolerances):
    """Tolerances are stated in photos.write_variants()."""
    plain = table[reference]
    for name, tolerance in tolerances.items():
        assert table[name]["status"] in photos.GOOD, (name, table[name]["message"])
        if tolerance is not None:
            for column in ("vcdr", "hcdr", "acdr"):
                assert abs(float(table[name][column]) - float(plain[column])) <= tolerance, (name, column)
            assert table[name]["eye"] == plain["eye"] == "OD"


def test_encodings_give_the_same_numbers(odd_run):
    assert_same_numbers(read_table(odd_run["out"]), odd_run["plain"], odd_run["tolerances"])


def test_files_of_each_photo(odd_run):
    out = odd_run["out"]
    for suffix in ("_labels.nrrd", ".seg.nrrd", "_rim.csv", "_metrics.json", "_overlay.png", "_report.html"):
        assert (out / "clinic a" / f"photo0000_{photos.SAMPLES[0].stem[-2:]}{suffix}").is_file(), suffix
    assert (out / "folder.jpg" / "inside_OD_labels.nrrd").is_file()
    assert not list(out.glob("truncated*"))


def test_the_journal_has_the_table(odd_run):
    """What Slicer's tab Batch shows of a run that has not ended: its first line has the columns, the others a photo each."""
    lines = (odd_run["out"] / ".npsnet-batch" / "journal.jsonl").read_text().splitlines()
    header, photographs = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
    shown = {row["name"]: dict(zip(header["columns"], row["cells"], strict=True)) for row in photographs}
    assert shown == {name: dict(row) for name, row in read_table(odd_run["out"]).items()}


def test_memory_is_bounded(odd_run):
    assert 0 < odd_run["peak"] < MEMORY_LIMIT_MIB


def test_a_second_run_has_nothing_to_do(run, odd_run):
    before = (odd_run["out"] / "results.csv").read_bytes()
    again = run("NPSNetBatch", odd_run["source"], "--out", odd_run["out"], *FAST, prefix=AS_A_USER, timeout=120)
    assert again.returncode == 0, again.stderr
    assert (odd_run["out"] / "results.csv").read_bytes() == before  # the times too: no photo was done again


def test_another_number_of_threads_changes_nothing(run, odd_run, tmp_path):
    photos_done = sorted((odd_run["source"] / "clinic b").iterdir())
    options = [*FAST, "--files", "none"]
    options[options.index("--threads") + 1] = "3"
    result = run("NPSNetBatch", *photos_done, "--out", tmp_path / "out", *options)
    assert result.returncode == 0, result.stderr
    expected = read_table(odd_run["out"])
    for name, row in read_table(tmp_path / "out").items():
        for column, text in row.items():
            if column not in ("name", "seconds"):
                assert text == expected[f"clinic b/{name}"][column], (name, column)


def test_strict_wants_every_row_good(run, odd_run):
    strict = run("NPSNetBatch", odd_run["source"], "--out", odd_run["out"], "--strict", *FAST, prefix=AS_A_USER)
    assert strict.returncode == 2


def test_other_settings_are_refused(run, odd_run):
    other = run("NPSNetBatch", odd_run["source"], "--out", odd_run["out"], "--um-per-pixel", "5", *FAST)
    assert other.returncode == 1
    assert "--restart" in other.stderr


def test_shards_and_merge(run, odd_run, tmp_path):
    inputs = [odd_run["source"] / name for name in ("clinic b", "truncated.jpg", "black.png")]
    options = ["--files", "none", *FAST]
    assert run("NPSNetBatch", *inputs, "--out", tmp_path / "whole", *options).returncode == 0
    for i in (1, 2, 3):
        part = run("NPSNetBatch", *inputs, "--out", tmp_path / f"part{i}", "--shard", f"{i}/3", *options)
        assert part.returncode == 0, part.stderr
    parts = [tmp_path / f"part{i}" for i in (1, 2, 3)]
    missing = run("NPSNetBatch", "merge", *parts[:2], "--out", tmp_path / "merged")
    assert missing.returncode == 1 and "3/3 is missing" in missing.stderr
    assert not (tmp_path / "merged" / "results.csv").exists()
    merged = run("NPSNetBatch", "merge", *parts, "--out", tmp_path / "merged")
    assert merged.returncode == 0, merged.stderr
    assert without_time(tmp_path / "merged") == without_time(tmp_path / "whole")
    shown = subprocess.run([str(w) for w in [merged.args[0], "merge", *parts]], capture_output=True)
    assert shown.stdout == (tmp_path / "merged" / "results.csv").read_bytes()


def test_a_merged_table_that_is_lost_is_no_success(run, build, odd_run):
    with open("/dev/full", "w") as full:
        words = [build / "bin" / "NPSNetBatch", "merge", odd_run["out"]]
        result = subprocess.run([str(word) for word in words], stdout=full, stderr=subprocess.PIPE, text=True)
    one_sentence(result, 4, "standard output")


def test_merge_knows_the_photos_of_the_last_run_only(run, build, tmp_path):
    make_photos(tmp_path / "in", 4)
    old = sorted((tmp_path / "in").iterdir())
    command = [tmp_path / "in", "--files", "none", *FAST]
    shards = [["--out", tmp_path / f"part{i}", "--shard", f"{i}/2"] for i in (1, 2)]
    for shard in shards:
        assert run("NPSNetBatch", *command, *shard).returncode == 0
    old[0].unlink()  # the second shard's photos are others now
    for shard in shards:
        assert run("NPSNetBatch", *command, *shard).returncode == 0
    merged = run("NPSNetBatch", "merge", tmp_path / "part1", tmp_path / "part2", "--out", tmp_path / "merged")
    assert merged.returncode == 0, merged.stderr
    assert list(read_table(tmp_path / "merged")) == [path.name for path in old[1:]]


def start(build, *arguments, prefix=()):
    words = [*prefix, build / "bin" / "NPSNetBatch", *arguments]
    return subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            start_new_session=True)


def count_rows(out):
    journal = out / ".npsnet-batch" / "journal.jsonl"
    return journal.read_bytes().count(b"\n") - 1 if journal.exists() else 0


def kill_again_and_again(run, build, source, out, times, rows, seed):
    """Kills a batch of so many rows at random moments all along, the whole process group or the parent alone, then lets
    it finish."""
    generator = random.Random(seed)
    for moment in sorted(generator.randrange(rows * 9 // 10) for _ in range(times)):
        process = start(build, source, "--out", out, "--jobs", "3", *FAST, prefix=AS_A_USER)
        while process.poll() is None and count_rows(out) < moment:
            time.sleep(0.02)
        time.sleep(generator.uniform(0, 0.5))
        assert process.poll() is None, process.communicate()[1][-2000:]
        if generator.random() < 0.5:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.communicate()
        assert not (out / "results.csv").exists()
    last = run("NPSNetBatch", source, "--out", out, "--jobs", "3", *FAST, timeout=3600, prefix=AS_A_USER)
    assert last.returncode == 0, last.stderr


def assert_same_results(out, expected):
    """The table but for its times, and every label map."""
    assert without_time(out) == without_time(expected)
    assert_no_stray_files(out)
    labels = sorted(path.relative_to(expected) for path in expected.rglob("*_labels.nrrd"))
    assert labels == sorted(path.relative_to(out) for path in out.rglob("*_labels.nrrd"))
    for path in labels:
        assert (out / path).read_bytes() == (expected / path).read_bytes(), path


def test_killed_and_resumed_gives_the_same_table(run, build, odd_run, tmp_path):
    """Also with another number of jobs."""
    kill_again_and_again(run, build, odd_run["source"], tmp_path / "out", 5, len(read_table(odd_run["out"])), seed=3)
    assert_same_results(tmp_path / "out", odd_run["out"])


def test_ctrl_c_finishes_the_photo_in_hand(run, build, tmp_path):
    make_photos(tmp_path / "in", 12)
    process = start(build, tmp_path / "in", "--out", tmp_path / "out", *FAST)
    journal = tmp_path / "out" / ".npsnet-batch" / "journal.jsonl"
    deadline = time.time() + 120
    while time.time() < deadline and (not journal.exists() or journal.read_bytes().count(b"\n") < 3):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    errors = process.communicate(timeout=120)[1]
    assert process.returncode == 3, errors
    assert "same command" in errors
    lines = journal.read_bytes()
    assert lines.endswith(b"\n") and lines.count(b"\n") >= 3
    assert_no_stray_files(tmp_path / "out")
    assert run("NPSNetBatch", tmp_path / "in", "--out", tmp_path / "out", *FAST).returncode == 0
    assert len(read_table(tmp_path / "out")) == 12


def test_two_runs_in_one_folder_are_kept_apart(run, build, tmp_path):
    make_photos(tmp_path / "in", 12)
    first = start(build, tmp_path / "in", "--out", tmp_path / "out", *FAST)
    journal = tmp_path / "out" / ".npsnet-batch" / "journal.jsonl"
    while first.poll() is None and not journal.exists():
        time.sleep(0.05)
    second = run("NPSNetBatch", tmp_path / "in", "--out", tmp_path / "out", *FAST)
    assert second.returncode == 4 and "Another batch" in second.stderr
    assert first.wait(timeout=300) == 0


def test_read_only_folder_is_a_sentence(run, tmp_path):
    make_photos(tmp_path / "in", 1)
    (tmp_path / "out").mkdir(mode=0o555)
    result = run("NPSNetBatch", tmp_path / "in", "--out", tmp_path / "out", *FAST, prefix=AS_A_USER)
    assert result.returncode == 4
    assert "Permission denied" in result.stderr and len(result.stderr.strip().splitlines()) == 1
    assert not list((tmp_path / "out").iterdir())


@contextlib.contextmanager
def small_disk(folder, size):
    """A disk of its own at the folder. That every file tells a full disk needs none: see itkFundusResultWriterTest."""
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip(f"mounting a small disk needs root: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", folder])


def fill_and_go_on(run, inputs, out):
    """A batch on a disk that is too small, and the same command when it is not."""
    full = run("NPSNetBatch", inputs, "--out", out / "run", *FAST)
    assert full.returncode == 4 and "No space left" in full.stderr, full.stderr
    assert not (out / "run" / "results.csv").exists()
    assert_no_stray_files(out / "run")
    assert subprocess.run(["mount", "-o", "remount,size=200m", out]).returncode == 0
    assert run("NPSNetBatch", inputs, "--out", out / "run", *FAST).returncode == 0


def test_full_disk_is_a_sentence_and_can_be_resumed(run, tmp_path):
    make_photos(tmp_path / "in", 8)
    with small_disk(tmp_path / "small", "3m"):
        fill_and_go_on(run, tmp_path / "in", tmp_path / "small")
        assert len(read_table(tmp_path / "small" / "run")) == 8


def test_a_disk_without_room_for_a_big_photo_is_full(run, tmp_path):
    """Its files need more than the rest of the disk, which looks far from full."""
    (tmp_path / "in").mkdir()
    for i in range(2):
        (tmp_path / "in" / f"photo{i}.jpg").symlink_to(photos.SAMPLES[0])
    with small_disk(tmp_path / "small", "2600k"):
        fill_and_go_on(run, tmp_path / "in", tmp_path / "small")
        assert set(statuses(tmp_path / "small" / "run").values()) <= {"ok", "low_confidence"}


def test_files_of_an_earlier_run_do_not_stay_beside_a_row_without_outlines(run, tmp_path):
    make_photos(tmp_path / "in", 2)
    names = sorted(path.name for path in (tmp_path / "in").iterdir())
    command = ["NPSNetBatch", tmp_path / "in", "--out", tmp_path / "out", *FAST]
    assert run(*command).returncode == 0
    stem = pathlib.Path(names[0]).stem
    assert (tmp_path / "out" / f"{stem}_report.html").is_file()
    (tmp_path / "in" / names[0]).write_bytes(b"")
    assert run(*command).returncode == 0
    assert statuses(tmp_path / "out")[names[0]] == "unreadable"
    assert not list((tmp_path / "out").glob(f"{stem}*"))
    assert len(list((tmp_path / "out").glob(f"{pathlib.Path(names[1]).stem}*"))) == 6


def test_half_a_row_is_written_again(run, odd_run, tmp_path):
    """A disk that fills up, or a power cut, leaves half a line at the end of the journal."""
    source = odd_run["source"] / "clinic b"
    assert run("NPSNetBatch", source, "--out", tmp_path / "out", "--files", "none", *FAST).returncode == 0
    whole = without_time(tmp_path / "out")
    journal = tmp_path / "out" / ".npsnet-batch" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]) + lines[-1][: len(lines[-1]) // 2])
    again = run("NPSNetBatch", source, "--out", tmp_path / "out", "--files", "none", *FAST)
    assert again.returncode == 0, again.stderr
    assert without_time(tmp_path / "out") == whole


def test_symbolic_links_in_a_circle_end(run, odd_run, tmp_path):
    source = tmp_path / "in"
    (source / "deep").mkdir(parents=True)
    shutil.copy(odd_run["source"] / odd_run["plain"], source / "deep")
    (source / "deep" / "back").symlink_to(source)
    (source / "self").symlink_to("self")
    result = run("NPSNetBatch", source, "--out", tmp_path / "out", "--files", "none", *FAST, timeout=300)
    assert result.returncode == 0, result.stderr
    assert list(statuses(tmp_path / "out")) == [f"deep/{odd_run['plain']}"]


def test_table_as_input(run, tmp_path):
    make_photos(tmp_path / "in", 2)
    first = sorted((tmp_path / "in").iterdir())[0].name
    (tmp_path / "list.csv").write_text(f"image,eye,um_per_pixel\nin/{first},OS,7.5\nin/gone.jpg,,\n")
    result = run("NPSNetBatch", tmp_path / "list.csv", "--out", tmp_path / "out", *FAST)
    assert result.returncode == 0, result.stderr
    table = read_table(tmp_path / "out")
    assert table[f"in/{first}"]["eye"] == "OS" and table[f"in/{first}"]["eye_source"] == "user"
    assert float(table[f"in/{first}"]["um_per_px"]) == 7.5
    assert table["in/gone.jpg"]["status"] == "unreadable"


def test_centres_of_a_table_are_pixel_indices(run, tmp_path):
    photos.write_dicom(tmp_path / "flat_OD.dcm", photos.load(0).resize((640, 720)), laterality="R", spacing_mm=(0.004, 0.006))
    shutil.copy(tmp_path / "flat_OD.dcm", tmp_path / "outside_OD.dcm")
    (tmp_path / "list.csv").write_text("image,center_x,center_y\nflat_OD.dcm,320,300\noutside_OD.dcm,640,300\n")
    result = run("NPSNetBatch", tmp_path / "list.csv", "--out", tmp_path / "out", *FAST)
    assert result.returncode == 0, result.stderr
    metrics = json.loads((tmp_path / "out" / "flat_OD_metrics.json").read_text())
    assert metrics["locator"]["center_px"] == pytest.approx([320, 300])
    table = read_table(tmp_path / "out")
    disc = [float(table["flat_OD.dcm"][column]) for column in ("disc_x_px", "disc_y_px")]
    assert disc == pytest.approx(metrics["measurements"]["disc_centroid_px"], abs=1e-3)
    assert table["outside_OD.dcm"]["status"] == "failed" and "outside the photograph" in table["outside_OD.dcm"]["message"]


@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
def test_a_batch_writes_the_metrics_that_segment_writes(run, tmp_path):
    """Between its processes nothing gets lost: flags, message and every digit."""
    photos.doubtful_vessels().save(tmp_path / "vessels.png")
    shutil.copy(photos.SAMPLES[0], tmp_path)
    names = ["vessels.png", photos.SAMPLES[0].name]
    inputs = [tmp_path / name for name in names]
    assert run("NPSNetBatch", *inputs, "--out", tmp_path / "batch", "--jobs", "1", *FAST).returncode == 0
    assert run("NPSNetSegment", *inputs, "--out", tmp_path / "single", *FAST).returncode == 0
    table = read_table(tmp_path / "batch")
    for name in names:
        batch, single = (json.loads((tmp_path / folder / f"{pathlib.Path(name).stem}_metrics.json").read_text())
                         for folder in ("batch", "single"))
        assert list(batch["stage_seconds"]) == list(single["stage_seconds"])
        # Reading and analysis are what the photo took; writing is not in its own metrics file.
        assert float(table[name]["seconds"]) == pytest.approx(batch["seconds"], abs=1e-3)
        for metrics in (batch, single):
            assert metrics["seconds"] >= sum(metrics.pop("stage_seconds").values()) - 1e-6
            del metrics["seconds"]
        assert batch == single
        assert table[name]["message"] == batch["message"]
    doubtful = json.loads((tmp_path / "batch" / "vessels_metrics.json").read_text())
    assert doubtful["flags"][0] == "uncertain_location"


def test_a_hung_decoder_costs_one_row(run, tmp_path):
    """A FIFO never ends: reading it waits for ever."""
    make_photos(tmp_path / "in", 2)
    os.mkfifo(tmp_path / "in" / "pipe.jpg")
    result = run("NPSNetBatch", tmp_path / "in", "--out", tmp_path / "out", "--timeout", "3", *FAST, timeout=120)
    assert result.returncode == 0, result.stderr
    found = statuses(tmp_path / "out")
    assert len(found) == 3 and found["pipe.jpg"] == "unreadable"


@pytest.mark.parametrize("arguments, sentence", [
    ([], "input"), (["gone_folder", "--out", "o"], "no file, folder or table"), (["x.jpg"], "--out"),
    (["x.jpg", "--out", "o", "--shard", "3/2"], "--shard"), (["x.jpg", "--out", "o", "--model", "gone.pth"], "gone.pth"),
    (["merge", "gone_folder"], "no batch"), (["x.jpg", "--out", "o", "--jobs", "-1"], "--jobs"),
    (["x.jpg", "--out", "o", "--jobs", "65"], "--jobs takes 0 to 64, not 65"),
    (["x.jpg", "--out", "o", "--threads", "100000"], "--threads takes 0 to "),
    (["x.jpg", "--out", "o", "--timeout", "0"], "--timeout takes 1 to 86400, not 0")])
def test_mistakes_are_one_sentence(run, tmp_path, arguments, sentence):
    result = run("NPSNetBatch", *arguments, cwd=tmp_path)
    assert result.returncode == 1
    assert sentence in result.stderr and len(result.stderr.strip().splitlines()) == 1, result.stderr
    assert not (tmp_path / "o" / "results.csv").exists()


EXAMPLES = photos.ROOT / "NPSNetSegmentation" / "CLI" / "Examples"


def test_example_with_xargs(run, build, tmp_path):
    make_photos(tmp_path / "in", 9)
    assert run("NPSNetBatch", tmp_path / "in", "--out", tmp_path / "whole", *FAST).returncode == 0
    environment = {**os.environ, "NPSNET": str(build / "bin" / "NPSNetBatch")}
    words = [EXAMPLES / "shards.sh", "2", tmp_path / "out", tmp_path / "in", "--", "--jobs", "1", *FAST]
    subprocess.run([str(word) for word in words], env=environment, check=True, timeout=600)
    assert without_time(tmp_path / "out") == without_time(tmp_path / "whole")


def test_example_with_xargs_runs_no_more_shards_at_a_time_than_cores(tmp_path):
    """A thousand shards are for a thousand computers."""
    program = tmp_path / "program"
    program.write_text('#!/bin/sh\n[ "$1" = merge ] && exit\ntouch "$RUNNING/$$"\nls "$RUNNING" | wc -l >> "$RUNNING.log"\n'
                       'sleep 0.2\nrm "$RUNNING/$$"\n')
    program.chmod(0o755)
    (tmp_path / "running").mkdir()
    cores = os.cpu_count()
    environment = {**os.environ, "NPSNET": str(program), "RUNNING": str(tmp_path / "running")}
    words = [EXAMPLES / "shards.sh", str(2 * cores + 1), tmp_path / "out", tmp_path / "in"]
    subprocess.run([str(word) for word in words], env=environment, check=True, timeout=120)
    counts = [int(line) for line in (tmp_path / "running.log").read_text().split()]
    assert len(counts) == 2 * cores + 1 and max(counts) <= cores


@pytest.mark.long
def test_example_with_snakemake(run, build, tmp_path):
    """Long for its installation only. The example with xargs is a quick test."""
    snakemake = os.environ.get("SNAKEMAKE") or shutil.which("snakemake")
    if not snakemake:
        subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
        subprocess.run([tmp_path / "venv" / "bin" / "pip", "install", "-q", "snakemake"], check=True)
        snakemake = tmp_path / "venv" / "bin" / "snakemake"
    make_photos(tmp_path / "in", 9)
    assert run("NPSNetBatch", tmp_path / "in", "--out", tmp_path / "whole", *FAST).returncode == 0
    settings = [f"photos={tmp_path / 'in'}", f"out={tmp_path / 'out'}", "shards=2", f"npsnet={build / 'bin' / 'NPSNetBatch'}",
                f"options=--jobs 1 {' '.join(FAST)}"]
    subprocess.run([str(snakemake), "-s", str(EXAMPLES / "Snakefile"), "--cores", "2", "--config", *settings], cwd=tmp_path,
                   check=True, timeout=600)
    assert without_time(tmp_path / "out") == without_time(tmp_path / "whole")


@pytest.mark.long
@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
def test_a_thousand_photos_killed_twenty_times(run, build, tmp_path, capsys):
    """5 % of them odd; the same table as a run without a kill; memory of the whole process tree under the limit."""
    source = tmp_path / "in"
    make_photos(source, 950)
    odd = source / "odd"
    odd.mkdir()
    unreadable, absent = photos.write_unreadable(odd), photos.write_without_disc(odd)
    plain, tolerances = photos.write_variants(odd)
    (odd / "folder.jpg").mkdir()
    shutil.copy(odd / plain, odd / "folder.jpg" / "inside_OD.png")
    whole = (source / "photo0000_OD.jpg").read_bytes()
    for i in range(50 - len(unreadable) - len(absent) - len(tolerances) - 2):
        unreadable.append(f"cut{i}.jpg")
        (odd / f"cut{i}.jpg").write_bytes(whole[: len(whole) * i // 30])
    begin = time.monotonic()
    code, errors, peak = run_measured(build, source, "--out", tmp_path / "whole", "--jobs", "2", *FAST, prefix=AS_A_USER,
                                      timeout=7200)
    seconds = time.monotonic() - begin
    with capsys.disabled():
        print(f"\n1000 photos in {seconds:.0f} s, peak memory {peak:.0f} MiB", flush=True)
    assert code == 0, errors[-2000:]
    table, found = read_table(tmp_path / "whole"), statuses(tmp_path / "whole")
    assert len(found) == 1000
    for name in unreadable:
        assert found[f"odd/{name}"] == "unreadable", name
    for name in absent:
        assert found[f"odd/{name}"] == "not_found", name
    ordinary = [status for name, status in found.items() if not name.startswith("odd/")]
    assert len(ordinary) == 950 and set(ordinary) <= {"ok", "low_confidence"}
    assert_same_numbers(table, f"odd/{plain}", {f"odd/{name}": value for name, value in tolerances.items()})
    assert 0 < peak < MEMORY_LIMIT_MIB
    kill_again_and_again(run, build, source, tmp_path / "killed", 20, 1000, seed=7)
    assert_same_results(tmp_path / "killed", tmp_path / "whole")
