"""The Python package npsnet, in a process of its own."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import textwrap

import pytest

import photos

ROOT = pathlib.Path(__file__).resolve().parents[2]
ORACLE = ROOT / "Testing/Data/oracle/b4_narrow"
CHECKPOINT = ORACLE / "checkpoint_b4_narrow.pth"


@pytest.fixture(scope="session")
def python(build):
    folder = build / "python"
    assert list((folder / "npsnet").glob("_stages*.so")), "the build has no Python package"

    def call(*words, **variables):
        environment = {**os.environ, "PYTHONPATH": str(folder), **variables}
        return subprocess.run(
            [sys.executable, *map(str, words)], capture_output=True, text=True, timeout=600, env=environment)

    return call


@pytest.fixture(scope="session")
def script(python):
    def call(text):
        prologue = f"""
            import pathlib, numpy as np, npsnet
            ORACLE = {str(ORACLE)!r}
            CHECKPOINT = {str(CHECKPOINT)!r}
            """
        done = python("-c", textwrap.dedent(prologue) + textwrap.dedent(text))
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


def test_a_package_that_is_not_built_says_so(python, build, tmp_path):
    (tmp_path / "npsnet").mkdir()
    for source in (build / "python" / "npsnet").glob("*.py"):
        shutil.copy(source, tmp_path / "npsnet")
    done = python("-c", "import npsnet", PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert "./npsnet setup" in done.stderr.strip().splitlines()[-1]


def test_example_of_the_documentation(python, tmp_path):
    page = (ROOT / "Documentation/Python.md").read_text()
    code = page.split("```python\n")[1].split("```")[0]
    assert len([line for line in code.splitlines() if line]) <= 10
    source = tmp_path / "example.py"
    source.write_text(code)
    done = python(source, ORACLE / "crop.png", CHECKPOINT)
    assert done.returncode == 0, done.stderr
    assert "valid: True" in done.stdout


def test_stages_reproduce_the_oracle(script):
    script("""
        crop = npsnet.read(ORACLE + "/crop.png")
        enhanced = npsnet.clahe(crop)
        truth = npsnet.read(ORACLE + "/crop_clahe.png").array
        assert np.abs(enhanced.array.astype(int) - truth).max() <= 1
        polar = npsnet.to_polar(npsnet.Image(truth.astype(np.float32) / 255))
        expected = np.load(ORACLE + "/polar_image.npy").reshape(3, 256, 360)
        ours = polar.array[..., ::-1].transpose(2, 0, 1)          # B, G, R first
        assert np.abs(ours - expected).max() < 1e-4
        network = npsnet.Network(CHECKPOINT, device="cpu")
        maps = network.infer(expected[None])
        disc, cup = np.load(ORACLE + "/P_d_polar.npy"), np.load(ORACLE + "/P_c_polar.npy")
        assert np.abs(maps["disc"].ravel() - disc.ravel()).max() < 1e-4
        assert np.abs(maps["cup"].ravel() - cup.ravel()).max() < 1e-4
        rd, rc = npsnet.extract_radii(maps["disc"][0], maps["cup"][0])
        result = network.segment_crop(enhanced)
        assert np.abs(result["boundary"].disc - rd).max() < 1e-3
        back = npsnet.from_polar(disc.reshape(256, 360), crop)
        assert np.abs(back.array.ravel() - np.load(ORACLE + "/Y_d_cart.npy").ravel()).max() < 1e-4
        """)


def test_geometry_goes_round(script):
    script("""
        image = npsnet.Image(np.arange(60 * 80, dtype=np.float32).reshape(60, 80), spacing=(0.5, 2.0), origin=(3, -7),
                             direction=[[0, -1], [1, 0]])
        crop = npsnet.crop(image, center=(10, 5), side=20, pixels=40)
        assert crop.array.shape == (40, 40) and crop.spacing == (0.5, 0.5)
        assert np.allclose(crop.direction, image.direction)
        boundary = npsnet.Boundary(disc=[0.8] * 90, cup=[0.4] * 90, anchor=(10.0, 5.0), radius=10.0,
                                   axes=crop.direction.tolist())
        again = npsnet.Boundary.from_json(boundary.to_json())
        assert np.array_equal(again.disc, boundary.disc) and again.anchor == (10.0, 5.0)
        labels = npsnet.labels(npsnet.regularize(boundary, crop), crop)
        area = (labels.array > 0).sum() * 0.25
        assert abs(area / (np.pi * 64) - 1) < 0.02
        assert npsnet.validity(labels, anchor=(10, 5))["valid"]
        metrics = npsnet.measure(boundary, eye="OD", micrometers_per_pixel=5.0)
        assert abs(metrics["measurements"]["vcdr"] - 0.5) < 0.01

        class Itk:                                                   # what an itk.Image looks like
            def __array__(self, dtype=None, copy=None): return image.array
            def GetSpacing(self): return image.spacing
            def GetOrigin(self): return image.origin
            def GetDirection(self): return image.direction
        assert np.array_equal(npsnet.crop(Itk(), (10, 5), 20, 40).array, crop.array)
        """)


def test_an_image_cut_out_of_another_keeps_its_place(script):
    """As itk's ExtractImageFilter leaves it: the origin of the whole and a start index."""
    script("""
        whole = npsnet.Image(np.arange(60 * 80, dtype=np.uint8).reshape(60, 80), spacing=(0.5, 0.5), origin=(3, -7))

        class Region:
            def GetIndex(self): return (20, 10)

        class Itk:
            def __array__(self, dtype=None, copy=None): return whole.array[10:50, 20:70]
            def GetSpacing(self): return whole.spacing
            def GetOrigin(self): return whole.origin
            def GetDirection(self): return whole.direction
            def GetBufferedRegion(self): return Region()
            def TransformIndexToPhysicalPoint(self, index): return [o + 0.5 * i for o, i in zip(whole.origin, index)]
        assert npsnet.as_image(Itk()).origin == (13.0, -2.0)
        assert np.array_equal(npsnet.crop(Itk(), (22, 6), 8, 32).array, npsnet.crop(whole, (22, 6), 8, 32).array)
        """)


def test_boundaries_leave_a_worker(script):
    script("""
        import copy, pickle
        boundary = npsnet.Boundary(disc=[0.8] * 90, cup=[0.4] * 90, anchor=(10.0, 5.0), radius=10.0, axes=[[1, 0], [0, 1]])
        for again in (pickle.loads(pickle.dumps(boundary)), copy.copy(boundary), copy.deepcopy({"it": boundary})["it"]):
            assert again is not boundary and again.to_json() == boundary.to_json()
        """)


def test_works_beside_itk(script):
    pytest.importorskip("itk")
    script("""
        import itk
        image = npsnet.read(ORACLE + "/crop.png")
        theirs = npsnet.to_itk(image)
        theirs.SetSpacing([0.25, 0.25])
        ours = npsnet.clahe(theirs)
        assert ours.spacing == (0.25, 0.25) and np.array_equal(ours.array, npsnet.clahe(image).array)
        """)


def test_analyzer(script):
    out = script("""
        import json
        analyzer = npsnet.Analyzer(model=CHECKPOINT, locate=False, device="cpu")
        result = analyzer(ORACLE + "/crop.png", eye="OS")
        same = analyzer(npsnet.read(ORACLE + "/crop.png"), eye="OS")
        assert np.array_equal(result["labels"].array, same["labels"].array)
        assert set(np.unique(result["labels"].array)) <= {0, 1, 2}
        assert np.array_equal(result["boundary"].cup, same["boundary"].cup)
        bad = analyzer(ORACLE + "/no such file.png")
        assert bad["status"] == "unreadable" and bad["labels"] is None, bad
        print(json.dumps({"status": result["status"], "metrics": result["metrics"]}))
        """)
    result = json.loads(out)
    assert result["status"] in ("ok", "low_confidence")
    assert 0 < result["metrics"]["measurements"]["vcdr"] < 1


@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
def test_analyzer_in_any_geometry(script):
    """Pixels of a quarter, turned axes: the same labels and metrics, centre and boundary in the caller's space."""
    script(f"""
        photo = npsnet.read({str(ROOT / "Resources/SampleData/RET042OD.jpg")!r})
        turned = npsnet.Image(photo.array, spacing=(0.25, 0.25), origin=(5, -3), direction=[[0, -1], [1, 0]])
        analyzer = npsnet.Analyzer(device="cpu")
        center = (1216.0, 815.0)
        plain = analyzer(photo, eye="OD", center=center, micrometers_per_pixel=4)
        place = (5 - 0.25 * center[1], -3 + 0.25 * center[0])
        other = analyzer(turned, eye="OD", center=place, micrometers_per_pixel=4)
        assert (plain["labels"].array != other["labels"].array).sum() <= 2
        assert other["labels"].spacing == (0.25, 0.25) and np.array_equal(other["labels"].direction, turned.direction)
        m, n = plain["metrics"]["measurements"], other["metrics"]["measurements"]
        assert abs(m["disc_height_px"] - n["disc_height_px"]) < 1e-3 and plain["metrics"]["ddls"] == other["metrics"]["ddls"]
        assert np.array_equal(npsnet.labels(other["boundary"], turned).array, other["labels"].array)
        for result, reference in ((plain, photo), (other, turned)):
            again = npsnet.measure(result["boundary"], "OD", 4, reference)
            assert abs(again["measurements"]["disc_height_px"] - m["disc_height_px"]) < 1e-3
            assert again["ddls"] == plain["metrics"]["ddls"]
        """)


def test_errors_are_sentences(script):
    script("""
        def complaint(function, *arguments):
            try:
                function(*arguments)
            except Exception as error:
                return str(error)
        assert "nowhere.pth" in complaint(npsnet.Network, "/nowhere.pth")
        assert "uint8" in complaint(npsnet.clahe, np.zeros((4, 4), np.int64))
        network = npsnet.Network(CHECKPOINT)
        crop = npsnet.read(ORACLE + "/crop.png").array
        assert complaint(network.segment_crop, crop / 255.0) == "expected an array of uint8, not of float64"
        assert "uint16" in complaint(network.segment_crop, crop.astype(np.uint16) * 256)
        assert "not of int64" in complaint(npsnet.validity, np.zeros((8, 8), int))
        analyzer = npsnet.Analyzer(model=pathlib.Path(CHECKPOINT), locate=False)
        assert "not of float64" in complaint(analyzer, crop / 255.0)
        assert "micrometers_per_pixel" in complaint(analyzer, crop, "OD", None, None, -3)
        assert complaint(npsnet.regularize, npsnet.Boundary([0.5] * 8, [0.2] * 8, (0, 0), 1.0, [[1, 0], [0, 1]]), crop) is None
        assert complaint(npsnet.to_polar, crop, None, -1.0).startswith("Radius must be")
        assert "at most" in complaint(lambda: npsnet.Network(CHECKPOINT, threads=257))
        assert "finite" in complaint(network.infer, np.full((1, 3, 64, 64), np.nan))
        assert "empty" in complaint(npsnet.clahe, np.zeros((0, 4), np.uint8))
        assert complaint(npsnet.Boundary, [0.1] * 8, [0.2] * 8, (0, 0), 1.0, [[1, 0], [0, 1]])   # cup outside the disc
        assert "TTA mode" in complaint(npsnet.Network(CHECKPOINT).segment_crop, np.zeros((64, 64, 3), np.uint8), "best")
        """)


def test_works_beside_a_libtorch_of_someone_else(script):
    """The package has none: `torch` may be imported before or after it."""
    script("""
        import sys, types
        sys.modules["torch"] = types.ModuleType("torch")
        network = npsnet.Network(CHECKPOINT, device="cpu")
        assert network.device == "cpu"
        with open("/proc/self/maps") as maps:
            assert "libtorch" not in maps.read()
        """)
