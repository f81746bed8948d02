"""Small photographs and odd files made from the sample photos, for the tests of the command-line modules."""

import os
import pathlib
import struct
import zlib

import numpy
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = sorted((ROOT / "Resources" / "SampleData").glob("RET*O[DS].jpg"))
WIDTH = 640


def load(index=0, width=WIDTH):
    """A sample as a small RGB image."""
    photo = Image.open(SAMPLES[index % len(SAMPLES)]).convert("RGB")
    return photo.resize((width, round(photo.height * width / photo.width)), Image.BOX)


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
    """Files that are no photos; returns their names."""
    folder = pathlib.Path(folder)
    load(0).save(folder / "whole.jpg", quality=90)
    whole = (folder / "whole.jpg").read_bytes()
    (folder / "whole.jpg").unlink()
    (folder / "truncated.jpg").write_bytes(whole[: len(whole) // 3])
    (folder / "zero.jpg").write_bytes(b"")
    (folder / "text.jpg").write_text("This is no photograph.\n" * 50)
    (folder / "locked.jpg").write_bytes(whole)
    os.chmod(folder / "locked.jpg", 0)
    (folder / "loop.jpg").symlink_to("loop.jpg")
    (folder / "dangling.png").symlink_to("nowhere.png")
    Image.new("L", (30000, 2000), 90).save(folder / "panorama.png", compress_level=1)
    return ["dangling.png", "locked.jpg", "loop.jpg", "panorama.png", "text.jpg", "truncated.jpg", "zero.jpg"]


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
