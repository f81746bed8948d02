"""DICOM photographs in, DICOM segmentation and report out, judged by independent readers."""

import gzip
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sysconfig
import time

import highdicom
import jsonschema
import numpy
import photos
import pydicom
import pytest
from photos import FAST
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian, RLELossless

OPHTHALMIC_8_BIT = "1.2.840.10008.5.1.4.1.1.77.1.5.1"
ROOT_UID = "1.2.826.0.1.3680043.2.1125.9"


def make_photograph(image, uid=ROOT_UID + ".3", laterality="L", spacing=0.02):
    """An Ophthalmic Photography 8 Bit object that dciodvfy has little to say about."""
    data = Dataset()
    data.file_meta = FileMetaDataset()
    data.file_meta.MediaStorageSOPClassUID = data.SOPClassUID = OPHTHALMIC_8_BIT
    data.file_meta.MediaStorageSOPInstanceUID = data.SOPInstanceUID = uid
    data.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    data.SpecificCharacterSet = "ISO_IR 192"
    data.StudyInstanceUID, data.SeriesInstanceUID = ROOT_UID + ".1", ROOT_UID + ".2"
    data.StudyDate = data.ContentDate = "20260102"
    data.StudyTime = data.ContentTime = "101112"
    data.AccessionNumber, data.StudyID, data.ReferringPhysicianName = "ACC-1", "S1", ""
    data.PatientName, data.PatientID, data.PatientBirthDate, data.PatientSex = "Müller^Jürgen", "P1", "19500101", "M"
    data.Modality, data.SeriesNumber, data.InstanceNumber = "OP", 1, 1
    data.ImageLaterality, data.PatientOrientation = laterality, ["L", "F"]
    data.SamplesPerPixel, data.PhotometricInterpretation, data.PlanarConfiguration = 3, "RGB", 0
    data.NumberOfFrames, data.Rows, data.Columns = 1, image.height, image.width
    data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = 8, 8, 7, 0
    if spacing:
        data.PixelSpacing = [spacing, spacing]
    data.PixelData = numpy.asarray(image.convert("RGB")).tobytes()
    return data


def save(data, path):
    data.save_as(path, enforce_file_format=True)
    return path


def errors_of(path):
    found = shutil.which("dciodvfy")
    assert found, "dciodvfy is missing: install the Debian package dicom3tools"
    text = subprocess.run([found, str(path)], capture_output=True, text=True).stderr
    return [line for line in text.splitlines() if line.startswith(("Error", "Abort"))]


def dcmtk(tool):
    """A command of the DCMTK that comes with the SDK, and the environment it needs."""
    site = pathlib.Path(sysconfig.get_path("purelib"))
    parts = site / "slicer_core_sdk" / "content" / "third_party"
    libraries = f"{parts / 'lib'}:{site / 'slicer_core' / 'third_party.libs'}"
    return [str(parts / "bin" / tool)], {**os.environ, "LD_LIBRARY_PATH": libraries}


@pytest.fixture(scope="module")
def results(run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("dicom")
    save(make_photograph(photos.load(0)), folder / "photo.dcm")
    result = run("NPSNetSegment", folder / "photo.dcm", "--out", folder, "--dicom-seg", "--dicom-sr", "--fhir", *FAST)
    assert result.returncode == 0, result.stderr
    return folder


def masks_of(folder, name="photo"):
    photo = pydicom.dcmread(folder / f"{name}.dcm")
    segmentation = highdicom.seg.segread(folder / f"{name}_seg.dcm")
    return segmentation, segmentation.get_pixels_by_source_instance([photo.SOPInstanceUID])[0]


def labels_of(folder, shape):
    head, data = (folder / "photo_labels.nrrd").read_bytes().split(b"\n\n", 1)
    assert b"gzip" in head
    return numpy.frombuffer(gzip.decompress(data), numpy.uint8).reshape(shape)


def test_objects_are_valid(results):
    for ending in ("_seg.dcm", "_sr.dcm"):
        assert errors_of(results / f"photo{ending}") == []


def test_segmentation_lies_on_the_photo_pixel_for_pixel(results):
    segmentation, masks = masks_of(results)
    labels = labels_of(results, masks.shape[:2])
    assert (masks[..., 0] == (labels > 0)).all() and (masks[..., 1] == (labels == 2)).all() and masks[..., 1].any()
    disc, cup = (segmentation.get_segment_description(number) for number in (1, 2))
    assert (disc.segmented_property_type.value, disc.segmented_property_type.scheme_designator) == ("81016008", "SCT")
    assert (cup.segmented_property_type.value, cup.segmented_property_type.scheme_designator) == ("optic-cup", "99NPSNET")
    assert segmentation.PatientName == "Müller^Jürgen" and segmentation.StudyInstanceUID == ROOT_UID + ".1"


def test_report_says_what_the_metrics_file_says(results):
    metrics = json.loads((results / "photo_metrics.json").read_text())
    report = highdicom.sr.srread(results / "photo_sr.dcm")
    assert report.VerificationFlag == "UNVERIFIED" and report.PatientID == "P1"
    key, quadrants, hours = report.content.get_image_measurement_groups()
    values = {item.name.value: (float(item.value), item.unit.value) for item in key.get_measurements()}
    expected = {"131257": ("vcdr", "{ratio}"), "131258": ("hcdr", "{ratio}"), "131256": ("acdr", "{ratio}"),
                "131262": ("disc_area_mm2", "mm2"), "131261": ("cup_area_mm2", "mm2"), "131259": ("rim_area_mm2", "mm2"),
                "131260": ("rim_mean_um", "um"), "min-rim-to-disc": ("min_rim_to_disc", "{ratio}")}
    assert values == {code: (metrics["measurements"][name], unit) for code, (name, unit) in expected.items()}
    for group, table, name_of in ((quadrants, "quadrants", lambda place: place[0]), (hours, "clock_hours", lambda place: place.split()[0])):
        items = group.get_measurements()
        assert len(items) == 2 * len(metrics[table])
        for item in items:
            row = metrics[table][name_of(item.finding_sites[0].topographical_modifier.meaning)]
            assert float(item.value) == row[{"131260": "rim_width_um", "rim-to-disc": "rim_to_disc"}[item.name.value]]
    for group in (key, quadrants, hours):
        assert group.finding_sites[0].laterality.meaning == "Left"
    areas = report.content.get_planar_roi_measurement_groups()
    segmentation = pydicom.dcmread(results / "photo_seg.dcm")
    assert [group.referenced_segmentation_frame.referenced_sop_instance_uid for group in areas] == [segmentation.SOPInstanceUID] * 2


def test_fhir_fits_its_schema_and_names_nobody(results, run, tmp_path):
    schema = json.loads((photos.ROOT / "Resources" / "Schemas" / "fhir.schema.json").read_text())
    text = (results / "photo_fhir.json").read_text()
    bundle = json.loads(text)
    jsonschema.validate(bundle, schema)
    values = {entry["resource"]["code"]["coding"][0]["code"]: entry["resource"].get("valueQuantity", {}).get("value") for entry in bundle["entry"]}
    assert values["131257"] == json.loads((results / "photo_metrics.json").read_text())["measurements"]["vcdr"]
    assert "P1" not in text and ROOT_UID not in text and "rgen" not in text
    kept = run("NPSNetSegment", results / "photo.dcm", "--out", tmp_path, "--fhir", "--keep-identifiers", *FAST)
    assert kept.returncode == 0, kept.stderr
    named = json.loads((tmp_path / "photo_fhir.json").read_text())
    jsonschema.validate(named, schema)
    assert named["entry"][0]["resource"]["subject"]["identifier"]["value"] == "P1"


def test_edited_outlines_make_a_signed_new_version(results, run, tmp_path):
    edited = pydicom.dcmread(results / "photo_seg.dcm")
    bits = numpy.unpackbits(numpy.frombuffer(edited.PixelData, numpy.uint8), bitorder="little")
    size = edited.Rows * edited.Columns
    disc, cup = (bits[k * size:(k + 1) * size].reshape(edited.Rows, edited.Columns).copy() for k in (0, 1))
    rows = numpy.flatnonzero(cup.any(axis=1))
    cup[rows[len(rows) // 2]:] = 0  # half of the cup goes
    edited.PixelData = numpy.packbits(numpy.concatenate([disc.ravel(), cup.ravel()]), bitorder="little").tobytes()
    save(edited, tmp_path / "edited.dcm")
    shutil.copy(results / "photo.dcm", tmp_path)
    result = run("NPSNetSegment", tmp_path / "photo.dcm", "--out", tmp_path, "--outlines", tmp_path / "edited.dcm", "--dicom-seg", "--dicom-sr",
                 "--previous-report", results / "photo_sr.dcm", "--signed-by", "Reader^Rita", "--organization", "Eye clinic")
    assert result.returncode == 0, result.stderr
    before, after = pydicom.dcmread(results / "photo_sr.dcm"), pydicom.dcmread(tmp_path / "photo_sr.dcm")
    assert after.VerificationFlag == "VERIFIED" and after.VerifyingObserverSequence[0].VerifyingObserverName == "Reader^Rita"
    predecessor = after.PredecessorDocumentsSequence[0].ReferencedSeriesSequence[0].ReferencedSOPSequence[0]
    assert predecessor.ReferencedSOPInstanceUID == before.SOPInstanceUID != after.SOPInstanceUID
    assert (masks_of(tmp_path)[1][..., 1] == cup).all()
    values = [json.loads((folder / "photo_metrics.json").read_text())["measurements"]["vcdr"] for folder in (results, tmp_path)]
    assert values[1] < 0.7 * values[0]
    assert errors_of(tmp_path / "photo_sr.dcm") == []


def test_batch_leaves_out_what_has_a_report(results, run, tmp_path):
    export = tmp_path / "export"
    export.mkdir()
    shutil.copy(results / "photo.dcm", export / "first.dcm")
    shutil.copy(results / "photo_seg.dcm", export / "object")  # as archives name them
    save(make_photograph(photos.load(1), uid=ROOT_UID + ".4"), export / "second.dcm")
    photos.load(2).save(export / "third.png")
    shutil.copy(results / "photo_sr.dcm", export / "report.dcm")
    result = run("NPSNetBatch", export, "--out", tmp_path / "all", "--jobs", "1", "--dicom-sr", *FAST)
    assert result.returncode == 0 and "2 DICOM objects that are not photographs are left out." in result.stderr, result.stderr
    assert sorted(path.name for path in (tmp_path / "all").glob("*_sr.dcm")) == ["first_sr.dcm", "second_sr.dcm"]
    result = run("NPSNetBatch", export, "--out", tmp_path / "rest", "--jobs", "1", "--unreported-only", *FAST)
    assert result.returncode == 0, result.stderr
    table = (tmp_path / "rest" / "results.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in table[1:]] == ["second.dcm", "third.png"]


def test_what_cannot_be_archived_is_a_sentence(results, run, tmp_path):
    photos.load(0).save(tmp_path / "photo.png")
    save(make_photograph(photos.load(0), uid=ROOT_UID + ".5"), tmp_path / "other.dcm")
    for arguments, part in (
        ((tmp_path / "photo.png", "--dicom-sr"), "is not a DICOM file, so there is no study"),
        ((tmp_path / "other.dcm", "--outlines", results / "photo_seg.dcm"), "was drawn on another photograph"),
        ((tmp_path / "other.dcm", "--outlines", results / "photo_sr.dcm"), "is not a DICOM segmentation"),
        ((tmp_path / "other.dcm", "--dicom-sr", "--previous-report", results / "photo_sr.dcm"), "is about another photograph"),
        ((tmp_path / "other.dcm", "--signed-by", "A^B"), "--signed-by needs"),
    ):
        result = run("NPSNetSegment", *arguments, "--out", tmp_path / "out", *FAST)
        assert result.returncode == 1 and part in result.stderr and result.stderr.count("\n") == 1, result.stderr
    assert not list(tmp_path.glob("out/*.dcm"))


def wait_for(port):
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the archive does not answer")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_round_trip_through_an_archive(results, run, tmp_path):
    archive, receiver = free_port(), free_port()
    (tmp_path / "archive").mkdir()
    (tmp_path / "got").mkdir()
    (tmp_path / "archive.cfg").write_text(
        f"NetworkTCPPort = {archive}\nMaxPDUSize = 16384\nMaxAssociations = 8\nHostTable BEGIN\nus = (US, localhost, {receiver})\nHostTable END\n"
        f"VendorTable BEGIN\nVendorTable END\nAETable BEGIN\nARCHIVE {tmp_path / 'archive'} RW (9, 1024mb) ANY\nAETable END\n")
    (server, environment), (client, _) = dcmtk("dcmqrscp"), dcmtk("dcmrecv")
    profiles = next(pathlib.Path(server[0]).parents[1].glob("etc/dcmtk-*/storescp.cfg"))
    running = [subprocess.Popen([*server, "-c", str(tmp_path / "archive.cfg"), str(archive)], env=environment),
               subprocess.Popen([*client, "--config-file", str(profiles), "Default", "-od", str(tmp_path / "got"), str(receiver)], env=environment)]
    try:
        wait_for(archive)
        wait_for(receiver)
        names = ["photo.dcm", "photo_seg.dcm", "photo_sr.dcm"]
        titles = ["-aet", "US", "-aec", "ARCHIVE"]
        subprocess.run([*dcmtk("dcmsend")[0], *titles, "localhost", str(archive), *(str(results / name) for name in names)], env=environment, check=True)
        study = ["-k", f"StudyInstanceUID={ROOT_UID}.1"]
        found = subprocess.run([*dcmtk("findscu")[0], "-S", *titles, "-k", "QueryRetrieveLevel=SERIES", *study, "-k", "Modality", "localhost", str(archive)],
                               env=environment, capture_output=True, text=True, check=True)
        assert all(f"[{modality}" in found.stdout + found.stderr for modality in ("OP", "SEG", "SR"))
        subprocess.run([*dcmtk("movescu")[0], "-S", *titles, "-aem", "US", "-k", "QueryRetrieveLevel=STUDY", *study, "localhost", str(archive)], env=environment, check=True)
    finally:
        for process in running:
            process.terminate()
            process.wait()
    got = {pydicom.dcmread(path, stop_before_pixels=True).Modality: path for path in (tmp_path / "got").iterdir()}
    result = run("NPSNetSegment", got["OP"], "--out", tmp_path / "again", "--outlines", got["SEG"], "--dicom-sr", "--previous-report", got["SR"])
    assert result.returncode == 0, result.stderr
    for modality, name in (("SEG", "photo_seg.dcm"), ("SR", "photo_sr.dcm")):
        assert pydicom.dcmread(got[modality]) == pydicom.dcmread(results / name)


def hostile():
    """Name to bytes of fifty files that claim to be a DICOM photograph."""
    import io

    def bytes_of(data):
        buffer = io.BytesIO()
        data.save_as(buffer, enforce_file_format=True)
        return buffer.getvalue()

    photo = photos.load(0, width=160)
    whole = bytes_of(make_photograph(photo))
    files = {f"cut{k:02}.dcm": whole[: len(whole) * (k + 1) // 21] for k in range(20)}
    pixels = whole.rindex(b"\xe0\x7f\x10\x00")
    for number, length in enumerate((0, 1, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)):
        files[f"pixel_length{number}.dcm"] = whole[: pixels + 8] + length.to_bytes(4, "little") + whole[pixels + 12:]

    def changed(**values):
        data = make_photograph(photo)
        for keyword, value in values.items():
            if value is None:
                delattr(data, keyword)
            else:
                setattr(data, keyword, value)
        return bytes_of(data)

    for name, values in {
        "no_pixels": {"PixelData": None}, "no_rows": {"Rows": None}, "no_columns": {"Columns": None}, "zero_rows": {"Rows": 0},
        "huge_rows": {"Rows": 65535}, "huge_both": {"Rows": 65535, "Columns": 65535}, "billion_frames": {"NumberOfFrames": 1000000000},
        "negative_frames": {"NumberOfFrames": -1}, "odd_bits": {"BitsAllocated": 13}, "no_bits": {"BitsAllocated": 0}, "stored_more": {"BitsStored": 64, "HighBit": 63},
        "four_samples": {"SamplesPerPixel": 4}, "no_samples": {"SamplesPerPixel": 0}, "odd_photometric": {"PhotometricInterpretation": "SMELL"},
        "palette_without_table": {"PhotometricInterpretation": "PALETTE COLOR", "SamplesPerPixel": 1},
    }.items():
        files[f"{name}.dcm"] = changed(**values)
    nested = b""
    for _ in range(3000):
        item = b"\xfe\xff\x00\xe0\xff\xff\xff\xff" + nested + b"\xfe\xff\x0d\xe0\x00\x00\x00\x00"
        nested = b"\x40\x00\x30\xa7SQ\x00\x00\xff\xff\xff\xff" + item + b"\xfe\xff\xdd\xe0\x00\x00\x00\x00"
        if len(nested) > 200000:
            break
    files["nested.dcm"] = whole[:pixels] + nested + whole[pixels:]
    files["nested_open.dcm"] = whole[:pixels] + (b"\x40\x00\x30\xa7SQ\x00\x00\xff\xff\xff\xff" + b"\xfe\xff\x00\xe0\xff\xff\xff\xff") * 20000
    files["wrong_syntax.dcm"] = whole.replace(b"1.2.840.10008.1.2.1\0", b"1.2.840.10008.1.2.4.50\0\0"[:20])
    files["unknown_syntax.dcm"] = whole.replace(b"1.2.840.10008.1.2.1\0", b"1.2.840.10008.9.9.9\0")
    files["wrong_vr.dcm"] = whole.replace(b"\x28\x00\x10\x00US", b"\x28\x00\x10\x00OB")
    files["meta_only.dcm"] = whole[:300]
    files["mark_only.dcm"] = b"\0" * 128 + b"DICM"
    files["garbage.dcm"] = b"\0" * 128 + b"DICM" + bytes(numpy.random.default_rng(1).integers(0, 256, 20000, numpy.uint8))
    rle = make_photograph(photo)
    rle.compress(RLELossless)
    packed = bytearray(bytes_of(rle))
    fragment = packed.rindex(b"\xe0\x7f\x10\x00") + 40
    for k in range(fragment, fragment + 64):
        packed[k] = 0xFF
    files["rle_offsets.dcm"] = bytes(packed)
    return files


def test_hostile_files_end_in_a_row_with_a_sentence(run, tmp_path):
    files = hostile()
    assert len(files) >= 50
    (tmp_path / "in").mkdir()
    for name, content in files.items():
        (tmp_path / "in" / name).write_bytes(content)
    save(make_photograph(photos.load(0)), tmp_path / "in" / "good.dcm")
    result = run("NPSNetBatch", tmp_path / "in", "--out", tmp_path / "out", "--jobs", "2", "--dicom-seg", "--dicom-sr", *FAST)
    assert result.returncode == 0, result.stderr
    import csv
    with open(tmp_path / "out" / "results.csv", newline="") as stream:
        rows = {row["name"]: row for row in csv.DictReader(stream)}
    assert rows.pop("good.dcm")["status"] in photos.GOOD
    for name in files:
        if name in rows:
            assert rows[name]["status"] in ("ok", "low_confidence") or rows[name]["message"].strip(), name
            assert "crash" not in rows[name]["message"] and "ended" not in rows[name]["message"], rows[name]["message"]
    missing = set(files) - set(rows)
    assert missing <= {"no_rows.dcm", "zero_rows.dcm", "meta_only.dcm", "mark_only.dcm"}, missing
