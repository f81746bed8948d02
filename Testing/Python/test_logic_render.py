"""Tables and chart as pictures, drawn off-screen by VTK from the nodes alone.

The pictures stay in <build>/Testing/Temporary/logic: look at them."""

import os

import numpy
import pytest

from test_logic_tutorial import npsnet, scene, segment_or_import  # noqa: F401 (fixtures)


def render(scene2d_item_or_actors, path, size):
    import vtk

    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(*size)
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    window.AddRenderer(renderer)
    for actor in scene2d_item_or_actors:
        renderer.AddViewProp(actor)
        if actor.IsA("vtkContextActor"):
            actor.GetScene().SetRenderer(renderer)
    window.Render()
    grabber = vtk.vtkWindowToImageFilter()
    grabber.SetInput(window)
    grabber.ReadFrontBufferOff()
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(str(path))
    writer.SetInputConnection(grabber.GetOutputPort())
    writer.Write()
    from vtkmodules.util.numpy_support import vtk_to_numpy

    return vtk_to_numpy(grabber.GetOutput().GetPointData().GetScalars()).reshape(size[1], size[0], 3)


def make_chart(chart_node):
    """What Slicer's plot view makes of a vtkMRMLPlotChartNode."""
    import vtk

    chart = vtk.vtkChartXY()
    chart.SetTitle(chart_node.GetTitle())
    chart.SetShowLegend(chart_node.GetLegendVisibility())
    x, y = chart.GetAxis(vtk.vtkAxis.BOTTOM), chart.GetAxis(vtk.vtkAxis.LEFT)
    x.SetTitle(chart_node.GetXAxisTitle())
    y.SetTitle(chart_node.GetYAxisTitle())
    for axis, bounds in ((x, chart_node.GetXAxisRange()), (y, chart_node.GetYAxisRange())):
        axis.SetBehavior(vtk.vtkAxis.FIXED)
        axis.SetRange(*bounds)
        axis.GetTitleProperties().SetFontSize(14)
    for i in range(chart_node.GetNumberOfPlotSeriesNodes()):
        series = chart_node.GetNthPlotSeriesNode(i)
        plot = chart.AddPlot(vtk.vtkChart.LINE)
        plot.SetInputData(series.GetTableNode().GetTable(), series.GetXColumnName(), series.GetYColumnName())
        plot.SetLabel(series.GetName())
        plot.SetColorF(*series.GetColor())
        plot.SetWidth(series.GetLineWidth())
        if series.GetLineStyle() == series.LineStyleDash:
            plot.GetPen().SetLineType(vtk.vtkPen.DASH_LINE)
    actor = vtk.vtkContextActor()
    actor.GetScene().AddItem(chart)
    return actor


def make_text(rows):
    import vtk

    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    text = vtk.vtkTextActor()
    text.SetInput("\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows))
    properties = text.GetTextProperty()
    properties.SetFontFamilyToCourier()
    properties.SetFontSize(14)
    properties.SetColor(0, 0, 0)
    properties.SetVerticalJustificationToTop()
    text.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
    text.SetPosition(0.01, 0.99)
    return text


def table_rows(node, rows, columns):
    table = [[f"{node.GetColumnTitle(c)} [{node.GetColumnUnitLabel(c)}]".replace(" []", "") for c in columns]]
    for row in rows:
        cells = (node.GetCellText(row, node.GetColumnIndex(c)) for c in columns)
        table.append([cell[:12] if c not in ("measurement", "value") else cell[:50] for cell, c in zip(cells, columns)])
    return table


@pytest.fixture
def folder(build):
    path = build / "Testing" / "Temporary" / "logic"
    path.mkdir(parents=True, exist_ok=True)
    return path


def has_colour(image, colour, tolerance=12):
    return int((numpy.abs(image.astype(int) - numpy.array(colour)).max(axis=2) <= tolerance).sum())


@pytest.mark.skipif(not os.environ.get("DISPLAY") and not os.environ.get("NPSNET_OFFSCREEN"),
                    reason="VTK's wheel draws with X (xvfb-run) or, with NPSNET_OFFSCREEN=1, with OSMesa or EGL")
def test_table_and_chart_are_drawn(scene, folder):
    scene, logic = scene
    parameters = logic.AddParameterNode()
    parameters.SetInputVolumeNode(logic.LoadSamplePhoto("RET023OD"))
    segment_or_import(logic, parameters)
    assert logic.FitBoundary(parameters) == logic.Success
    assert logic.LoadComparison(parameters, logic.GetSampleLabelFileName("RET023OD")) == logic.Success
    parameters.SetMicrometersPerPixel(4.0)
    assert logic.UpdateMeasurements(parameters) == logic.Success

    image = render([make_chart(parameters.GetChartNode())], folder / "chart.png", (1000, 600))
    for name, colour in {"disc": (0, 114, 178), "cup": (230, 159, 0), "rim": (0, 158, 115)}.items():
        assert has_colour(image, colour) > 300, f"no {name} curve in the chart"

    summary = parameters.GetSummaryTableNode()
    rows = table_rows(summary, range(summary.GetNumberOfRows()), ["measurement", "value", "unit", "key"])
    assert (render([make_text(rows)], folder / "summary.png", (1000, 1250)) < 128).sum() > 5000
    rim = parameters.GetRimTableNode()
    columns = ["theta_deg", "clock_hour", "quadrant", "disc_radius_px", "cup_radius_px", "rim_width_px", "rim_width_um",
               "rim_to_disc"]
    rows = table_rows(rim, range(0, 360, 10), columns)
    assert (render([make_text(rows)], folder / "rim.png", (1300, 700)) < 128).sum() > 5000
