"""Optic disc and cup in fundus photographs: every stage on NumPy arrays with a geometry.

An image is an `Image` (array, spacing, origin, direction), a plain array (unit geometry) or any object that behaves
like PyPI's `itk.Image`; `to_itk` gives one back. Arrays are [y, x] or [y, x, channel] with channels R, G, B;
spacing, origin and points are (x, y), as in ITK. Only arrays are exchanged, never pointers, so this package lives
beside any other ITK in the process.

The network needs no LibTorch and gives the same numbers on every run. A GPU does (`device="cuda"`): two copies of it
in one process crash, so that this is refused where Python's `torch` is already loaded.
"""

import json
import os

import numpy as np

try:
    from . import _network, _stages
except ImportError as error:
    raise ImportError(f"The compiled part of npsnet cannot be loaded from {os.path.dirname(__file__)}: "
                      f"build it with ./npsnet setup. ({error})") from error
from ._image import Image, as_image, to_itk
from ._stages import Boundary

__all__ = [
    "Analyzer", "Boundary", "Image", "Network", "as_image", "clahe", "crop", "extract_radii", "from_polar", "labels",
    "measure", "model_metadata", "read", "regularize", "to_itk", "to_polar", "validity",
]


def read(path):
    """A photograph of any usual kind as upright 8-bit RGB in photo pixels."""
    return Image._of(_stages.read(os.fsdecode(path))["image"])


def clahe(image, clip_limit=2.0, tiles=8):
    """Contrast limited adaptive histogram equalisation; uint8 or uint16, grey, RGB or (8 bit) RGBA."""
    image = as_image(image)
    return Image._of(_stages.clahe(image.array, image._geometry(), clip_limit, tiles))


def crop(image, center, side, pixels=512, nearest=False):
    """Square about a physical centre, resampled to pixels x pixels; black outside. uint8 or float32, grey or RGB."""
    image = as_image(image)
    return Image._of(_stages.crop(image.array, image._geometry(), tuple(center), side, pixels, nearest))


def to_polar(image, center=None, radius=0.0, radii=256, angles=360):
    """[radius, angle] (or [radius, angle, 3]) as float32; theta from image right downwards."""
    image = as_image(image)
    array = np.asarray(image.array, dtype=np.float32)
    return Image._of(_stages.to_polar(array, image._geometry(), _point(center), radius, radii, angles))


def from_polar(polar, reference, center=None, radius=0.0):
    """The way back to the raster of `reference`; zero outside the circle."""
    reference = as_image(reference)
    array = np.asarray(as_image(polar).array, dtype=np.float32)
    return Image._of(
        _stages.from_polar(array, reference.array.shape[:2], reference._geometry(), _point(center), radius))


def extract_radii(disc, cup):
    """Radii (disc, cup) in [0, 1] of the 0.5 crossings of two occupancy maps [radius, angle]."""
    return _stages.extract_radii(np.asarray(disc, dtype=np.float32), np.asarray(cup, dtype=np.float32))


def regularize(boundary, reference):
    """The boundary made whole on the raster of `reference`: no spikes that fall apart when rasterised."""
    reference = as_image(reference)
    return _stages.regularize(boundary, reference.array.shape[:2], reference._geometry())


def labels(boundary, reference):
    """Label map 0 background, 1 rim, 2 cup on the raster of `reference`."""
    reference = as_image(reference)
    return Image._of(_stages.labels(boundary, reference.array.shape[:2], reference._geometry()))


def validity(label_map, anchor=None):
    """Is a label map (uint8) anatomically whole? A dictionary with `valid` and what is wrong."""
    label_map = as_image(label_map)
    return _stages.validity(label_map.array, label_map._geometry(), _point(anchor))


def measure(boundary, eye="auto", micrometers_per_pixel=0.0, reference=None):
    """The measurements of a boundary as in the metrics file of a photograph. With the photograph as `reference` they
    are in its pixels, and flags tell of the disc's place in it; without, in the physical unit of the boundary."""
    shape, geometry = None, _stages.Geometry()
    if reference is not None:
        reference = as_image(reference)
        shape, geometry = reference.array.shape[:2], reference._geometry()
    return json.loads(_stages.measure(boundary, eye, micrometers_per_pixel, shape, geometry))


def model_metadata(path):
    """What a model file, or a PyTorch checkpoint of the authors, says about its network."""
    return json.loads(_stages.model_metadata(os.fsdecode(path)))


def _point(point):
    return None if point is None else tuple(point)


class Network:
    """A trained network: `infer` for polar images, `segment_crop` for an enhanced crop with Polar-TTA."""

    def __init__(self, path, device="auto", precision="auto", threads=0):
        self._network = _network.Network(os.fsdecode(path), device, precision, threads)

    @property
    def metadata(self):
        return json.loads(self._network.metadata)

    @property
    def sha256(self):
        return self._network.sha256

    @property
    def device(self):
        return self._network.device

    @property
    def precision(self):
        return self._network.precision

    def infer(self, images):
        """float32 [image, channel, radius, angle] in [0, 1], channels as the metadata say (B, G, R): a dictionary with
        the occupancies `disc` and `cup` and, with a shape prior, their confidences per angle."""
        return self._network.infer(np.asarray(images, dtype=np.float32))

    def segment_crop(self, image, tta="off", top_k=3, flip_average=False):
        """An enhanced square crop to a dictionary: boundary, occupancies about its anchor, scores of all hypotheses."""
        image = as_image(image)
        return self._network.segment_crop(image.array, image._geometry(), tta, top_k, flip_average)


class Analyzer:
    """The whole way. Options: model, locator, tta, device, precision, threads, locate, recenter."""

    def __init__(self, **options):
        for name in ("model", "locator"):
            if name in options:
                options[name] = os.fsdecode(options[name])
        self._analyzer = _network.Analyzer(**options)

    def __call__(self, photo, eye="auto", center=None, side=None, micrometers_per_pixel=0.0):
        """photo: a path or an RGB image of uint8. A dictionary: status, message, metrics, labels (an Image) and boundary.
        Center, side, labels and boundary are in the image's physical space (of a path: in photo pixels), metrics in
        photo pixels."""
        if isinstance(photo, (str, bytes)) or hasattr(photo, "__fspath__"):
            path, pixels, geometry = os.fsdecode(photo), None, _stages.Geometry()
        else:
            image = as_image(photo)
            path, pixels, geometry = None, image.array, image._geometry()
        result = self._analyzer.analyze(
            path, pixels, geometry, eye, _point(center), side, micrometers_per_pixel)
        result["metrics"] = json.loads(result["metrics"])
        result["labels"] = None if result["labels"] is None else Image._of(result["labels"])
        return result
