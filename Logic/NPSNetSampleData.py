"""Offers the sample photographs of NPSNetSegmentation in Slicer's Sample Data module.

    import NPSNetSampleData
    NPSNetSampleData.register(slicer.modules.npsnetsegmentation.logic())
"""

CATEGORY = "NPS-Net"


def register(logic, sample_data=None):
    """Adds one entry a photo and returns their names.

    The photos lie in the module's Resources, so "downloading" one is loading it; through the logic, because Slicer's own
    reader would stack numbered neighbours. sample_data: Slicer's SampleDataLogic unless given."""
    if sample_data is None:
        from SampleData import SampleDataLogic as sample_data
    from vtk import vtkStringArray

    names = vtkStringArray()
    logic.GetSamplePhotoNames(names)
    registered = []
    for name in (names.GetValue(i) for i in range(names.GetNumberOfValues())):
        thumbnail = f"{logic.GetResourcesDirectory()}/SampleData/{name}.jpg"
        sample_data.registerCustomSampleDataSource(
            category=CATEGORY,
            sampleName=name,
            thumbnailFileName=thumbnail,
            customDownloader=lambda source, name=name: logic.LoadSamplePhoto(name),
        )
        registered.append(name)
    return registered
