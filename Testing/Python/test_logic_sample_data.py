"""Sample photos appear in Slicer's Sample Data module."""

import pathlib
import sys

from test_logic_tutorial import npsnet, scene  # noqa: F401 (fixtures)

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Registry:
    """Takes what SampleDataLogic.registerCustomSampleDataSource of Slicer 5 takes, and keeps it."""

    def __init__(self):
        self.sources = []

    def registerCustomSampleDataSource(self, category="Custom", sampleName=None, uris=None, fileNames=None,
                                       nodeNames=None, customDownloader=None, thumbnailFileName=None,
                                       loadFileTypes=None, loadFiles=None, loadFileProperties={}, checksums=None,
                                       loadFileType=None):
        self.sources.append((category, sampleName, thumbnailFileName, customDownloader))


def test_every_sample_is_registered_and_loads(scene):
    scene, logic = scene
    sys.path.insert(0, str(ROOT / "Logic"))
    import NPSNetSampleData

    registry = Registry()
    names = NPSNetSampleData.register(logic, registry)
    assert len(names) == len(registry.sources) >= 8
    category, name, thumbnail, download = registry.sources[-1]
    assert category == "NPS-Net" and pathlib.Path(thumbnail).is_file()
    assert download(None).GetName() == name
