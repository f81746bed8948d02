"""The programs of ITKFilters/examples do what the README says of them."""
import subprocess
import sys

from conftest import ROOT

EXAMPLES = ROOT / "ITKFilters" / "examples"


def test_the_program_writes_every_file(build, tmp_path):
    photo = ROOT / "Resources/SampleData/RET023OD.jpg"
    program = build / "bin" / "SegmentPhotograph"
    result = subprocess.run([program, photo, tmp_path], capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("RET023OD: vCDR 0.")
    assert len(list(tmp_path.glob("RET023OD*"))) == 6
    result = subprocess.run([program, tmp_path / "none.jpg", tmp_path], capture_output=True, text=True, timeout=600)
    assert result.returncode == 1 and "none.jpg" in result.stderr


def test_the_script_says_the_same(build, tmp_path):
    photo = ROOT / "Resources/SampleData/RET023OD.jpg"
    result = subprocess.run([sys.executable, EXAMPLES / "SegmentPhotograph.py", photo], capture_output=True, text=True,
                            timeout=600, env={"PYTHONPATH": str(build / "python")})
    assert result.returncode == 0, result.stderr
    program = subprocess.run([build / "bin" / "SegmentPhotograph", photo, tmp_path], capture_output=True, text=True)
    ratio = float(program.stdout.split("vCDR ")[1])
    assert abs(float(result.stdout.split()[1]) - ratio) < 6e-4


def test_the_readme_shows_the_examples():
    readme = (ROOT / "README.md").read_text()
    for name in ("SegmentPhotograph.cxx", "SegmentPhotograph.py"):
        lines = (EXAMPLES / name).read_text()
        assert len(lines.splitlines()) <= 30
        assert lines.split("\n\n", 1)[1].strip() in readme, name
