"""NPSNetBatch as a screening team meets it: odd files, kills, full disks, shards."""

import csv
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import threading
import time

import pytest

import photos

# Root may read everything; take that right away, so that file modes count for us too.
AS_A_USER = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"] \
    if os.geteuid() == 0 else []
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
        while not self.ended.wait(0.1):
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


def test_encodings_give_the_same_numbers(odd_run):
    """Tolerances are stated in photos.write_variants()."""
    table = read_table(odd_run["out"])
    plain = table[odd_run["plain"]]
    for name, tolerance in odd_run["tolerances"].items():
        assert table[name]["status"] in photos.GOOD, (name, table[name]["message"])
        if tolerance is not None:
            for column in ("vcdr", "hcdr", "acdr"):
                assert abs(float(table[name][column]) - float(plain[column])) <= tolerance, (name, column)
            assert table[name]["eye"] == plain["eye"] == "OD"


def test_files_of_each_photo(odd_run):
    out = odd_run["out"]
    for suffix in ("_labels.nrrd", ".seg.nrrd", "_rim.csv", "_metrics.json", "_overlay.png", "_report.html"):
        assert (out / "clinic a" / f"photo0000_{photos.SAMPLES[0].stem[-2:]}{suffix}").is_file(), suffix
    assert (out / "folder.jpg" / "inside_OD_labels.nrrd").is_file()
    assert not list(out.glob("truncated*"))


def test_memory_is_bounded(odd_run):
    assert 0 < odd_run["peak"] < MEMORY_LIMIT_MIB


def test_a_second_run_has_nothing_to_do_and_a_fresh_one_the_same_bytes(run, odd_run, tmp_path):
    again = run("NPSNetBatch", odd_run["source"], "--out", odd_run["out"], *FAST, prefix=AS_A_USER, timeout=120)
    assert again.returncode == 0
    fresh = run("NPSNetBatch", odd_run["source"], "--out", tmp_path / "fresh", "--jobs", "3", *FAST, prefix=AS_A_USER)
    assert fresh.returncode == 0, fresh.stderr
    assert without_time(tmp_path / "fresh") == without_time(odd_run["out"])


def test_strict_wants_every_row_good(run, odd_run):
    strict = run("NPSNetBatch", odd_run["source"], "--out", odd_run["out"], "--strict", *FAST, prefix=AS_A_USER)
    assert strict.returncode == 2


def test_other_settings_are_refused(run, odd_run):
    other = run("NPSNetBatch", odd_run["source"], "--out", odd_run["out"], "--um-per-pixel", "5", *FAST)
    assert other.returncode == 1
    assert "--restart" in other.stderr


def test_shards_and_merge(run, odd_run, tmp_path):
    for i in (1, 2, 3):
        part = run("NPSNetBatch", odd_run["source"], "--out", tmp_path / f"part{i}", "--shard", f"{i}/3", *FAST, prefix=AS_A_USER)
        assert part.returncode == 0, part.stderr
    parts = [tmp_path / f"part{i}" for i in (1, 2, 3)]
    missing = run("NPSNetBatch", "merge", *parts[:2], "--out", tmp_path / "merged")
    assert missing.returncode == 1 and "3/3 is missing" in missing.stderr
    assert not (tmp_path / "merged" / "results.csv").exists()
    merged = run("NPSNetBatch", "merge", *parts, "--out", tmp_path / "merged")
    assert merged.returncode == 0, merged.stderr
    assert without_time(tmp_path / "merged") == without_time(odd_run["out"])
    shown = subprocess.run([str(w) for w in [merged.args[0], "merge", *parts]], capture_output=True)
    assert shown.stdout == (tmp_path / "merged" / "results.csv").read_bytes()


def start(build, *arguments):
    return subprocess.Popen([str(build / "bin" / "NPSNetBatch"), *map(str, arguments)], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, start_new_session=True)


def kill_again_and_again(run, build, source, out, times, seed):
    """Kills a batch at random moments, the whole process group or the parent alone, and lets it finish then."""
    generator = random.Random(seed)
    killed = 0
    while killed < times:
        process = start(build, source, "--out", out, "--jobs", "2", *FAST)
        try:
            process.wait(timeout=generator.uniform(0.2, 6.0))
            break  # finished before we could kill it
        except subprocess.TimeoutExpired:
            if generator.random() < 0.5:
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
            process.wait()
            killed += 1
        assert not (out / "results.csv").exists()
    last = run("NPSNetBatch", source, "--out", out, "--jobs", "2", *FAST, timeout=3600)
    assert last.returncode == 0, last.stderr
    return killed


def test_killed_and_resumed_gives_the_same_table(run, build, tmp_path):
    make_photos(tmp_path / "in", 24)
    assert run("NPSNetBatch", tmp_path / "in", "--out", tmp_path / "whole", *FAST).returncode == 0
    killed = kill_again_and_again(run, build, tmp_path / "in", tmp_path / "killed", 4, seed=3)
    assert killed > 0
    assert without_time(tmp_path / "killed") == without_time(tmp_path / "whole")
    assert_no_stray_files(tmp_path / "killed")
    for path in (tmp_path / "whole").rglob("*_labels.nrrd"):
        assert path.read_bytes() == (tmp_path / "killed" / path.relative_to(tmp_path / "whole")).read_bytes()


def test_ctrl_c_finishes_the_photo_in_hand(run, build, tmp_path):
    make_photos(tmp_path / "in", 30)
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
    assert len(read_table(tmp_path / "out")) == 30


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


def test_full_disk_is_a_sentence_and_can_be_resumed(run, tmp_path):
    make_photos(tmp_path / "in", 8)
    out = tmp_path / "small"
    out.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "none", out], capture_output=True).returncode != 0:
        pytest.skip("mounting a small disk needs root")
    try:
        full = run("NPSNetBatch", tmp_path / "in", "--out", out / "run", *FAST)
        assert full.returncode == 4, full.stderr
        assert "No space left" in full.stderr
        assert not (out / "run" / "results.csv").exists()
        assert_no_stray_files(out / "run")
        assert subprocess.run(["mount", "-o", "remount,size=200m", out]).returncode == 0
        assert run("NPSNetBatch", tmp_path / "in", "--out", out / "run", *FAST).returncode == 0
        assert len(read_table(out / "run")) == 8
    finally:
        subprocess.run(["umount", out])


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
    (["merge", "gone_folder"], "no batch"), (["x.jpg", "--out", "o", "--jobs", "-1"], "--jobs")])
def test_mistakes_are_one_sentence(run, tmp_path, arguments, sentence):
    result = run("NPSNetBatch", *arguments, cwd=tmp_path)
    assert result.returncode == 1
    assert sentence in result.stderr and len(result.stderr.strip().splitlines()) == 1, result.stderr
    assert not (tmp_path / "o" / "results.csv").exists()


EXAMPLES = photos.ROOT / "NPSNetSegmentation" / "CLI" / "Examples"


def test_example_with_xargs(run, build, tmp_path):
    make_photos(tmp_path / "in", 9)
    # the number of threads changes the order of the network's sums, and so the last digits
    assert run("NPSNetBatch", tmp_path / "in", "--out", tmp_path / "whole", "--threads", "1", *FAST).returncode == 0
    environment = {**os.environ, "NPSNET": str(build / "bin" / "NPSNetBatch")}
    words = [EXAMPLES / "shards.sh", "2", tmp_path / "out", tmp_path / "in", "--", "--jobs", "1", "--threads", "1", *FAST]
    subprocess.run([str(word) for word in words], env=environment, check=True, timeout=600)
    assert without_time(tmp_path / "out") == without_time(tmp_path / "whole")


def test_example_with_snakemake(run, build, tmp_path):
    snakemake = os.environ.get("SNAKEMAKE") or shutil.which("snakemake")
    if not snakemake:
        pytest.skip("snakemake is not installed (pip install snakemake)")
    make_photos(tmp_path / "in", 9)
    assert run("NPSNetBatch", tmp_path / "in", "--out", tmp_path / "whole", *FAST).returncode == 0
    settings = [f"photos={tmp_path / 'in'}", f"out={tmp_path / 'out'}", "shards=2", f"npsnet={build / 'bin' / 'NPSNetBatch'}",
                f"options=--jobs 1 --threads 1 {' '.join(FAST)}"]
    subprocess.run([snakemake, "-s", str(EXAMPLES / "Snakefile"), "--cores", "2", "--config", *settings], cwd=tmp_path,
                   check=True, timeout=600)
    assert without_time(tmp_path / "out") == without_time(tmp_path / "whole")


@pytest.mark.long
@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
def test_a_thousand_photos_killed_twenty_times(run, build, tmp_path):
    """5 % of them odd; the same table as a run without a kill; memory of the whole process tree under the limit."""
    source = tmp_path / "in"
    make_photos(source, 950)
    odd = source / "odd"
    odd.mkdir()
    unreadable, absent = photos.write_unreadable(odd), photos.write_without_disc(odd)
    os.chmod(odd / "locked.jpg", 0o644)
    (odd / "locked.jpg").write_bytes(b"\xff\xd8\xff")
    _, tolerances = photos.write_variants(odd)
    while len(list(odd.iterdir())) < 50:
        index = len(list(odd.iterdir()))
        (odd / f"cut{index}.jpg").write_bytes((source / "photo0000_OD.jpg").read_bytes()[: 500 + index])
        unreadable.append(f"cut{index}.jpg")
    code, errors, peak = run_measured(build, source, "--out", tmp_path / "whole", *FAST, timeout=7200)
    assert code == 0, errors[-2000:]
    found = statuses(tmp_path / "whole")
    assert len(found) == 1000
    assert all(found[f"odd/{name}"] == "unreadable" for name in unreadable)
    assert all(found[f"odd/{name}"] == "not_found" for name in absent)
    assert all(found[f"odd/{name}"] in photos.GOOD for name in tolerances)
    assert 0 < peak < MEMORY_LIMIT_MIB
    assert kill_again_and_again(run, build, source, tmp_path / "killed", 20, seed=7) == 20
    assert without_time(tmp_path / "killed") == without_time(tmp_path / "whole")
