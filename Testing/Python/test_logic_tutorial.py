"""The scene logic from Python, beside `slicer` of the slicer-core wheel: these tests are its documentation.

    PYTHONPATH=<build>/lib python
    >>> import slicer
    >>> from vtkSlicerNPSNetSegmentationModuleLogicPython import vtkSlicerNPSNetSegmentationLogic
"""

import pathlib
import sys

import photos
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def npsnet(build):
    slicer = pytest.importorskip("slicer")
    sys.path.insert(0, str(build / "lib"))
    return slicer, pytest.importorskip("vtkSlicerNPSNetSegmentationModuleLogicPython")


@pytest.fixture
def scene(npsnet):
    slicer, module = npsnet
    scene = slicer.vtkMRMLScene()
    logic = module.vtkSlicerNPSNetSegmentationLogic()
    logic.SetMRMLScene(scene)
    yield scene, logic
    logic.SetMRMLScene(None)


def to_pandas(table_node):
    """A vtkMRMLTableNode as a pandas.DataFrame, columns with their own types."""
    import pandas
    from vtkmodules.util.numpy_support import vtk_to_numpy

    table = table_node.GetTable()
    columns = {}
    for i in range(table.GetNumberOfColumns()):
        array = table.GetColumn(i)
        if array.IsA("vtkStringArray"):
            columns[array.GetName()] = [array.GetValue(row) for row in range(array.GetNumberOfValues())]
        else:
            columns[array.GetName()] = vtk_to_numpy(array)
    return pandas.DataFrame(columns)


def segment_or_import(logic, parameters):
    """Segments with the default weights; the expert's labels stand in where none are installed."""
    models = ROOT / "Resources" / "Models"
    if (models / "npsnet-default.safetensors").exists() and (models / "onh-locator.safetensors").exists():
        parameters.SetTTAMode("off")
        code = logic.Segment(parameters)
    else:
        name = parameters.GetInputVolumeNode().GetName()
        code = logic.ApplyLabels(parameters, logic.LoadPhoto(logic.GetSampleLabelFileName(name)))
    assert code == logic.Success, logic.GetLastMessage()


def test_load_photo_segment_table_save(scene, tmp_path):
    """The whole way: a photo in, segments, a pandas table and a scene file out."""
    scene, logic = scene

    # 1. Load a photo. LoadPhoto() never stacks 001.jpg, 002.jpg into a volume.
    photo = logic.LoadPhoto(str(ROOT / "Resources" / "SampleData" / "RET023OD.jpg"))
    assert photo.IsA("vtkMRMLVectorVolumeNode")

    # 2. Segment. The eye is read from the file name here; SetEye(), SetTTAMode(), SetModelFileName() ... are optional.
    parameters = logic.AddParameterNode()
    parameters.SetInputVolumeNode(photo)
    segment_or_import(logic, parameters)

    # 3. Two nested segments ...
    segmentation = parameters.GetSegmentationNode().GetSegmentation()
    names = [segmentation.GetNthSegment(i).GetName() for i in range(segmentation.GetNumberOfSegments())]
    assert names == ["Optic disc", "Optic cup"]

    # ... a rim table, one row an angle ...
    rim = to_pandas(parameters.GetRimTableNode())
    assert len(rim) == 360
    assert rim["theta_deg"].dtype.kind == "i" and rim["rim_width_px"].dtype.kind == "f"
    assert parameters.GetRimTableNode().GetColumnUnitLabel("rim_width_px") == "px"
    by_quadrant = rim.groupby("quadrant")["rim_width_px"].mean()
    assert set(by_quadrant.index) == {"I", "S", "N", "T"}

    # ... and a summary by key.
    assert logic.GetMeasurementText(parameters, "eye") == "OD"
    assert 0.1 < logic.GetMeasurement(parameters, "vcdr") < 1.0
    summary = to_pandas(parameters.GetSummaryTableNode()).set_index("key")["value"]
    assert "Research use" in summary["note"]
    assert abs(float(summary["rim_I_px"]) - by_quadrant["I"]) < 2.0

    # 4. Save the scene with everything in it.
    path = tmp_path / "photo.mrb"
    scene.SetURL(str(path))
    assert scene.WriteToMRB(str(path))
    assert path.stat().st_size > 100_000


def test_numbers_follow_edits(scene):
    """Edit a segment (here with NumPy), ask for the measurements again, fit a clean boundary, undo."""
    from vtkmodules.util.numpy_support import vtk_to_numpy

    scene, logic = scene
    parameters = logic.AddParameterNode()
    parameters.SetInputVolumeNode(logic.LoadSamplePhoto("RET042OS"))
    segment_or_import(logic, parameters)
    node = parameters.GetSegmentationNode()
    before = logic.GetMeasurement(parameters, "cup_area_px2")

    # Erase the upper half of the cup.
    cup = node.GetBinaryLabelmapInternalRepresentation(logic.GetCupSegmentID())
    pixels = vtk_to_numpy(cup.GetPointData().GetScalars())
    pixels[: len(pixels) // 2] = 0
    cup.Modified()
    assert logic.UpdateMeasurements(parameters) == logic.Success, logic.GetLastMessage()
    assert logic.GetResultState(node) == "edited"
    assert logic.GetMeasurement(parameters, "cup_area_px2") < 0.7 * before

    # Disc contains cup, whatever was edited.
    assert logic.EnforceNesting(node, logic.GetCupSegmentID()) == logic.Success

    assert logic.FitBoundary(parameters) == logic.Success, logic.GetLastMessage()
    assert logic.GetResultState(node) == "fitted"
    assert logic.Undo(parameters) == logic.Success
    assert logic.GetResultState(node) == "edited"


@pytest.mark.skipif(not photos.HAS_MODELS, reason="the default models are not in Resources/Models")
def test_a_doubtful_place_stays_flagged(scene, tmp_path):
    """Vessels that may be taken for a disc: the flag of the run is in the summary until the outline is edited."""
    scene, logic = scene
    photos.doubtful_vessels().save(tmp_path / "vessels.png")
    parameters = logic.AddParameterNode()
    parameters.SetInputVolumeNode(logic.LoadPhoto(str(tmp_path / "vessels.png")))
    segment_or_import(logic, parameters)
    assert "uncertain_location" in logic.GetMeasurementText(parameters, "flags").split()
    assert logic.UpdateMeasurements(parameters) == logic.Success, logic.GetLastMessage()
    assert "uncertain_location" in logic.GetMeasurementText(parameters, "flags").split()
    assert logic.GetMeasurementText(parameters, "status") == "low_confidence"


def test_compare_with_an_expert(scene):
    """The expert's rim beside ours, in table and chart."""
    scene, logic = scene
    parameters = logic.AddParameterNode()
    parameters.SetInputVolumeNode(logic.LoadSamplePhoto("RET190OS"))
    segment_or_import(logic, parameters)
    assert logic.LoadComparison(parameters, logic.GetSampleLabelFileName("RET190OS")) == logic.Success
    rim = to_pandas(parameters.GetRimTableNode())
    error = (rim["rim_width_px"] - rim["expert_rim_width_px"]).abs().mean()
    assert error < 0.2 * rim["expert_disc_radius_px"].mean()
    chart = parameters.GetChartNode()
    series = [chart.GetNthPlotSeriesNode(i).GetName() for i in range(chart.GetNumberOfPlotSeriesNodes())]
    assert "Rim width, expert" in series


def test_a_click_becomes_a_centre(scene, npsnet):
    """World coordinates of the slice view and pixels of the upright photo, both ways."""
    slicer, _ = npsnet
    scene, logic = scene
    parameters = logic.AddParameterNode()
    parameters.SetInputVolumeNode(logic.LoadSamplePhoto("RET023OD"))
    world = [0.0, 0.0, 0.0]
    assert logic.PhotoPixelToWorld(parameters, [1200.0, 900.0], world)
    assert world == pytest.approx([-1200.0, -900.0, 0.0])
    anchor = scene.AddNewNodeByClass("vtkMRMLMarkupsFiducialNode", "Disc")
    anchor.AddControlPointWorld(*world)
    parameters.SetAnchorNode(anchor)
    pixel = [0.0, 0.0]
    assert logic.WorldToPhotoPixel(parameters, anchor.GetNthControlPointPosition(0), pixel)
    assert pixel == pytest.approx([1200.0, 900.0])


def test_progress_and_errors(scene, npsnet):
    """Start, watch, and read the sentence when something is wrong."""
    scene, logic = scene
    parameters = logic.AddParameterNode()
    assert logic.StartSegment(parameters) == logic.InvalidPhoto
    assert "input volume" in logic.GetLastMessage()
    parameters.SetInputVolumeNode(logic.LoadSamplePhoto("RET023OD"))
    logic.SetSegmentExecutable("/nowhere/NPSNetSegment")
    seen = []
    logic.AddObserver(logic.RunFailedEvent, lambda caller, event: seen.append(event))
    assert logic.Segment(parameters) == logic.ExecutableMissing
    assert parameters.GetStatus() == parameters.Failed and "NPSNetSegment" in parameters.GetStatusMessage()
    # An asynchronous run:  logic.StartSegment(parameters); then, from a timer, logic.ProcessRuns()
    # until not logic.IsRunning(parameters); logic.CancelRun(parameters) stops it.


def test_wrapped_types(npsnet, scene):
    """Our classes are at home among Slicer's."""
    slicer, module = npsnet
    scene, logic = scene
    assert isinstance(logic, slicer.vtkSlicerModuleLogic)
    parameters = logic.AddParameterNode("mine")
    assert isinstance(parameters, slicer.vtkMRMLNode) and type(parameters) is module.vtkMRMLNPSNetParameterNode
    assert parameters.GetEyeAsString(parameters.EyeLeft) == "OS"
    names = __import__("vtk").vtkStringArray()
    logic.GetSamplePhotoNames(names)
    assert "RET023OD" in [names.GetValue(i) for i in range(names.GetNumberOfValues())]
