import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes; run with -m long")


@pytest.fixture(scope="session")
def build():
    folder = pathlib.Path(os.environ.get("NPSNET_BUILD_DIR", ROOT / "build")).resolve()
    assert (folder / "bin").is_dir(), f"no build in {folder}: set NPSNET_BUILD_DIR"
    return folder


@pytest.fixture(scope="session")
def run(build):
    """run("NPSNetSegment", …) -> CompletedProcess with text output."""

    def call(module, *arguments, timeout=1800, prefix=(), **options):
        words = [*prefix, build / "bin" / module, *arguments]
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=timeout, **options)

    return call
