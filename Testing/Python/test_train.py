"""NPSNetTrain from the shell: what it says and how it ends when it is stopped or cannot write."""

import json
import signal
import subprocess

import numpy
import pytest
from PIL import Image

import photos
from answers import one_sentence


@pytest.fixture
def configuration(tmp_path):
    """A function that writes a configuration with the given changes; its photographs lie beside it."""
    rows = ["set,split,crop,mask"]
    y, x = numpy.mgrid[:64, :64]
    for i in range(4):
        labels = numpy.zeros((64, 64), numpy.uint8)
        distance = numpy.hypot(x - 30 - i, y - 31)
        labels[distance < 16] = 128
        labels[distance < 8] = 255
        Image.fromarray(labels).save(tmp_path / f"mask{i}.png")
        Image.merge("RGB", [Image.fromarray(labels // 2 + 90)] * 3).save(tmp_path / f"crop{i}.png")
        rows.append(f"toy,{'val' if i == 3 else 'train'},crop{i}.png,mask{i}.png")
    (tmp_path / "index.csv").write_text("\n".join(rows) + "\n")

    def write(**changes):
        parts = {
            "data": {"sets": {"toy": 1}},
            "architecture": {"variant": "b4", "channels": [8, 16], "shape_features": 8, "radii": 32, "angles": 32,
                             "crop_size": 48},
            "epochs": 1, "batch": 2, "threads": 1, "workers": 1,
        }
        path = tmp_path / "config.json"
        path.write_text(json.dumps({**parts, **changes}))
        return path

    return write


def test_stopped_in_the_first_epoch_it_can_be_resumed(build, configuration, tmp_path):
    endless = configuration(data={"sets": {"toy": 100000}})
    command = [build / "bin" / "NPSNetTrain", endless, "--out", tmp_path / "run", "--resume"]
    for _ in range(2):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            lines = []
            while "epoch 1/1 step 1/" not in "".join(lines):
                lines.append(process.stdout.readline())
                assert lines[-1], process.stderr.read()
            process.send_signal(signal.SIGINT)
            _, complaint = process.communicate(timeout=60)
        assert process.returncode == 3 and "--resume" in complaint
        assert "starts from the beginning" in "".join(lines)


def test_the_index_may_hold_absolute_paths(run, configuration, tmp_path):
    path = configuration()
    index = tmp_path / "elsewhere" / "index.csv"
    index.parent.mkdir()
    header, *rows = (tmp_path / "index.csv").read_text().splitlines()
    rows = [row.replace("crop", f"{tmp_path}/crop").replace("mask", f"{tmp_path}/mask") for row in rows]
    index.write_text("\n".join([header, *rows]) + "\n")
    result = run("NPSNetTrain", path, "--index", index, "--out", tmp_path / "run")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "run" / "best.safetensors").is_file()


def test_another_training_is_left_alone(run, configuration, tmp_path):
    path = configuration()
    assert run("NPSNetTrain", path, "--out", tmp_path / "run").returncode == 0
    one_sentence(run("NPSNetTrain", path, "--out", tmp_path / "run"), 1, "--resume")
    assert run("NPSNetTrain", path, "--out", tmp_path / "run", "--resume").returncode == 0


def test_read_only_folder_is_a_sentence(run, configuration, tmp_path):
    (tmp_path / "run").mkdir(mode=0o555)
    for out in ("run", "run/below"):
        one_sentence(run("NPSNetTrain", configuration(), "--out", tmp_path / out, prefix=photos.AS_A_USER), 4, str(out))


def test_full_disk_is_a_sentence(run, configuration, tmp_path):
    """Files may have 100 kB: enough for the models, not for the checkpoint."""
    limit = ["bash", "-c", 'trap "" XFSZ; ulimit -f 100; exec "$@"', "limit"]
    one_sentence(run("NPSNetTrain", configuration(), "--out", tmp_path / "run", prefix=limit), 4, "checkpoint.pt")
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == [
        "best.safetensors", "config.json", "last.safetensors"]


def test_configurations_that_ship_are_accepted(run, tmp_path):
    """All but the index, which is read after them."""
    folder = photos.ROOT / "Research"
    paths = [*sorted((folder / "configs").glob("*.json")), *folder.glob("*/base.json")]
    assert len(paths) > 1
    for path in paths:
        result = run("NPSNetTrain", path, "--index", tmp_path / "nowhere.csv", "--out", tmp_path / "run")
        one_sentence(result, 1, "nowhere.csv")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["threads", "workers"])
def test_more_threads_than_a_computer_can_have_are_refused(run, configuration, tmp_path, name):
    one_sentence(run("NPSNetTrain", configuration(**{name: 100000}), "--out", tmp_path / "run"), 1, name, "to 256")
