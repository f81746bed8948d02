"""The installed layout of the Slicer extension: everything it needs is in it, whatever the environment says."""
import shutil
import subprocess

import pytest


@pytest.fixture(scope="module")
def installed(build, tmp_path_factory):
    folder = tmp_path_factory.mktemp("extension")
    command = [shutil.which("cmake"), "--install", build, "--component", "NPSNetExtension", "--prefix", folder]
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    return folder


def call(installed, module, *arguments):
    words = [next(installed.glob(f"lib/Slicer-*/cli-modules/{module}")), *arguments]
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=600, env={}, cwd="/")


def resources(installed):
    return next(installed.glob("share/Slicer-*/qt-loadable-modules/NPSNetSegmentation"))


def test_only_weights_and_card_are_installed(installed):
    models = {path.name for path in (resources(installed) / "Models").rglob("*") if path.is_file()}
    assert {name for name in models if not name.endswith(".safetensors")} == {"README.md"}
    assert {"npsnet-default.safetensors", "onh-locator.safetensors"} <= models
    assert (resources(installed) / "Terminologies" / "OpticNerveHead.term.json").is_file()
    assert not list(installed.rglob("*.py"))


def test_modules_run_with_an_empty_environment(installed, tmp_path):
    photo = resources(installed) / "SampleData" / "RET023OD.jpg"
    result = call(installed, "NPSNetSegment", photo, "--out", tmp_path / "one")
    assert result.returncode == 0, result.stderr
    assert "vCDR" in result.stdout
    result = call(installed, "NPSNetBatch", photo, "--out", tmp_path / "many")
    assert result.returncode == 0, result.stderr
    assert ",ok," in (tmp_path / "many" / "results.csv").read_text()
    result = call(installed, "NPSNetLocate", photo)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("module, weights",
                         [("NPSNetSegment", "npsnet-default.safetensors"), ("NPSNetLocate", "onh-locator.safetensors")])
def test_the_weights_are_the_installed_ones(installed, tmp_path, module, weights):
    file = resources(installed) / "Models" / weights
    kept = file.read_bytes()
    file.write_text("no weights")
    try:
        photo = resources(installed) / "SampleData" / "RET023OD.jpg"
        result = call(installed, module, photo, *(["--out", tmp_path] if module == "NPSNetSegment" else []))
        assert result.returncode != 0
        assert str(file) in result.stderr
    finally:
        file.write_bytes(kept)
