"""Small photographs and odd files made from the sample photos, for the tests of the command-line modules."""

import os
import pathlib
import struct
import zlib

import numpy
from PIL import Image, ImageDraw, ImageFilter

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = sorted((ROOT / "Resources" / "SampleData").glob("RET*O[DS].jpg"))
WIDTH = 640

# One pass with the weights that ship; without them (a tree in the making) the test data's untrained network on the
# whole photo, which shows all but good contours.
MODELS = [ROOT / "Resources" / "Models" / name for name in ("npsnet-default.safetensors", "onh-locator.safetensors")]
HAS_MODELS = all(path.is_file() for path in MODELS)
# One thread: tests run on all cores at once.
FAST = ["--tta", "off", "--threads", "1"]
if not HAS_MODELS:
    FAST += ["--no-locate", "--model", str(ROOT / "Testing" / "Data" / "oracle" / "b4_narrow" / "checkpoint_b4_narrow.pth")]
GOOD = ("ok",) if HAS_MODELS else ("ok", "low_confidence")

# Root may read everything; take that right away, so that file modes count for us too.
AS_A_USER = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"] \
    if os.geteuid() == 0 else []


def load(index=0, width=WIDTH):
    """A sample as a small RGB image."""
    photo = Image.open(SAMPLES[index % len(SAMPLES)]).convert("RGB")
    return photo.resize((width, round(photo.height * width / photo.width)), Image.BOX)


def without_disc(box):
    """A part of a sample, half its size, that shows no disc."""
    sample = next(path for path in SAMPLES if path.stem == "RET042OS")
    photo = Image.open(sample).convert("RGB").reduce(2)
    mask = Image.open(sample.with_name("RET042OS_mask.png")).resize(photo.size, Image.NEAREST)
    assert mask.crop(box).getextrema() == (0, 0)
    return photo.crop(box)


def vessels():
    return without_disc((600, 600, 900, 900))


def doubtful_vessels():
    """The locator takes them for a disc, with little confidence."""
    return without_disc((800, 200, 1200, 600))


def pictures_of_no_eye():
    """Name to picture: bright and round things, as they lie in folders beside photographs, and a page of text."""
    y, x = numpy.mgrid[:480, :640]
    tissue = numpy.array([130.0, 55.0, 20.0])
    lamp = numpy.exp(-((x - 400) ** 2 + (y - 220) ** 2) / 45.0**2)[..., None]
    lit = tissue + lamp * (numpy.array([255.0, 230.0, 180.0]) - tissue)
    field = ((x - 320) ** 2 + (y - 240) ** 2 < 230**2)[..., None]
    along, across = 0.8 * (x - 300) + 0.6 * (y - 200), 0.8 * (y - 200) - 0.6 * (x - 300)
    galaxy = numpy.exp(-((along / 60.0) ** 2) - (across / 25.0) ** 2)[..., None] * numpy.array([250.0, 238.0, 212.0])
    pictures = {name: Image.fromarray(pixels.astype(numpy.uint8))
                for name, pixels in (("lamp", lit), ("lamp in a field", field * lit), ("galaxy", galaxy))}

    orange = pictures["orange"] = Image.new("RGB", (640, 480), (110, 60, 30))
    ImageDraw.Draw(orange).ellipse((110, 30, 530, 450), fill=(235, 140, 20), outline=(0, 0, 0), width=8)
    shine = Image.new("L", orange.size, 0)
    ImageDraw.Draw(shine).ellipse((190, 150, 330, 290), fill=200)
    orange.paste((250, 235, 215), (0, 0), shine.filter(ImageFilter.GaussianBlur(25)))

    page = pictures["page"] = Image.new("RGB", (640, 480), (250, 248, 240))
    for line in range(20, 440, 18):
        ImageDraw.Draw(page).text((40, line), 2 * "Optic disc and cup outlined on a photograph. ", fill=(20, 20, 20))
    return pictures


def write_png16(path, image):
    """RGB with 16 bits a channel (value * 257), which Pillow cannot write."""
    pixels = numpy.asarray(image, dtype=numpy.uint16) * 257
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in pixels)

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", image.width, image.height, 16, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


# EXIF orientation -> how the stored pixels follow from the upright ones
STORED = {
    2: Image.FLIP_LEFT_RIGHT, 3: Image.ROTATE_180, 4: Image.FLIP_TOP_BOTTOM, 5: Image.TRANSPOSE,
    6: Image.ROTATE_90, 7: Image.TRANSVERSE, 8: Image.ROTATE_270,
}


def write_exif(path, image, orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    image.transpose(STORED[orientation]).save(path, quality=98, subsampling=0, exif=exif)


def write_unreadable(folder):
    """Files that are not photos; returns their names."""
    folder = pathlib.Path(folder)
    load(0).save(folder / "whole.jpg", quality=90)
    whole = (folder / "whole.jpg").read_bytes()
    (folder / "whole.jpg").unlink()
    (folder / "truncated.jpg").write_bytes(whole[: len(whole) // 3])
    (folder / "zero.jpg").write_bytes(b"")
    (folder / "text.jpg").write_text("This is not a photograph.\n" * 50)
    (folder / "locked.jpg").write_bytes(whole)
    os.chmod(folder / "locked.jpg", 0)
    (folder / "loop.jpg").symlink_to("loop.jpg")
    (folder / "dangling.png").symlink_to("nowhere.png")
    load(0).save(folder / "phone.webp")
    Image.new("L", (30000, 2000), 90).save(folder / "panorama.png", compress_level=1)
    return ["dangling.png", "locked.jpg", "loop.jpg", "panorama.png", "phone.webp", "text.jpg", "truncated.jpg", "zero.jpg"]


def write_without_disc(folder):
    folder = pathlib.Path(folder)
    Image.new("RGB", (1, 1), (120, 60, 20)).save(folder / "pixel.png")
    Image.new("RGB", (WIDTH, 480), 0).save(folder / "black.png")
    return ["black.png", "pixel.png"]


def write_variants(folder, index=0):
    """The same photo in many encodings; {name: tolerance of the ratios}, the reference is plain.png."""
    folder = pathlib.Path(folder)
    photo = load(index)
    eye = SAMPLES[index % len(SAMPLES)].stem[-2:]
    name = lambda text: f"{text}_{eye}"
    photo.save(folder / f"{name('plain')}.png")
    write_png16(folder / f"{name('deep')}.png", photo)
    rgba = photo.copy()
    rgba.putalpha(255)
    rgba.save(folder / f"{name('alpha')}.png")
    photo.save(folder / f"{name('jpeg')}.jpg", quality=98, subsampling=0)
    photo.convert("CMYK").save(folder / f"{name('cmyk')}.jpg", quality=98, subsampling=0)
    photo.convert("L").save(folder / f"{name('grey')}.png")
    tolerances = {f"{name('deep')}.png": 0.0, f"{name('alpha')}.png": 0.0, f"{name('jpeg')}.jpg": 0.02,
                  f"{name('cmyk')}.jpg": 0.04, f"{name('grey')}.png": None}
    for orientation in STORED:
        write_exif(folder / f"{name(f'exif{orientation}')}.jpg", photo, orientation)
        tolerances[f"{name(f'exif{orientation}')}.jpg"] = 0.02
    return f"{name('plain')}.png", tolerances


def write_dicom(path, image, *more, laterality="L", patient="DOE^JANE", identifier="SECRET-4711", spacing_mm=None):
    """A minimal Ophthalmic Photography 8 Bit object: explicit VR, little endian, RGB; more images are more frames."""

    def element(group, number, representation, value):
        if isinstance(value, str):
            value = value.encode()
        if len(value) % 2:
            value += b"\0" if representation in ("UI", "OB") else b" "
        head = struct.pack("<HH", group, number) + representation.encode()
        if representation in ("OB", "OW", "SQ", "UN"):
            return head + b"\0\0" + struct.pack("<I", len(value)) + value
        return head + struct.pack("<H", len(value)) + value

    short = lambda value: struct.pack("<H", value)
    frames = (image, *more)
    pixels = b"".join(numpy.asarray(frame.convert("RGB")).tobytes() for frame in frames)
    kind, uid = "1.2.840.10008.5.1.4.1.1.77.1.5.1", "1.2.826.0.1.3680043.2.1125.1.4711"
    meta = element(2, 1, "OB", b"\0\1") + element(2, 2, "UI", kind) + element(2, 3, "UI", uid)
    meta += element(2, 0x10, "UI", "1.2.840.10008.1.2.1") + element(2, 0x12, "UI", "1.2.826.0.1.3680043.2.1125")
    data = element(8, 0x16, "UI", kind) + element(8, 0x18, "UI", uid) + element(8, 0x50, "SH", "ACC-4711")
    data += element(8, 0x60, "CS", "OP")
    data += element(0x10, 0x10, "PN", patient) + element(0x10, 0x20, "LO", identifier) + element(0x10, 0x30, "DA", "19500101")
    data += element(0x20, 0xD, "UI", uid + ".1") + element(0x20, 0xE, "UI", uid + ".2")
    data += element(0x20, 0x62, "CS", laterality)
    data += element(0x28, 2, "US", short(3)) + element(0x28, 4, "CS", "RGB") + element(0x28, 6, "US", short(0))
    if more:
        data += element(0x28, 8, "IS", str(len(frames)))
    data += element(0x28, 0x10, "US", short(image.height)) + element(0x28, 0x11, "US", short(image.width))
    if spacing_mm:
        rows, columns = spacing_mm if isinstance(spacing_mm, tuple) else (spacing_mm, spacing_mm)
        data += element(0x28, 0x30, "DS", f"{rows}\\{columns}")
    data += element(0x28, 0x100, "US", short(8)) + element(0x28, 0x101, "US", short(8)) + element(0x28, 0x102, "US", short(7))
    data += element(0x28, 0x103, "US", short(0)) + element(0x7FE0, 0x10, "OB", pixels)
    path.write_bytes(b"\0" * 128 + b"DICM" + element(2, 0, "UL", struct.pack("<I", len(meta))) + meta + data)
