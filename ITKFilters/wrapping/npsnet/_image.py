"""Arrays with a place in physical space."""

import numpy as np

from . import _stages


class Image:
    """array [y, x] or [y, x, channel]; spacing and origin (x, y); direction 2 x 2 with the axes as columns."""

    def __init__(self, array, spacing=(1.0, 1.0), origin=(0.0, 0.0), direction=((1.0, 0.0), (0.0, 1.0))):
        self.array = np.ascontiguousarray(array)
        self.spacing = tuple(float(value) for value in spacing)
        self.origin = tuple(float(value) for value in origin)
        self.direction = np.array(direction, dtype=float)
        if self.array.ndim not in (2, 3) or self.direction.shape != (2, 2):
            raise ValueError("an image is [y, x] or [y, x, channel] with a 2 x 2 direction")

    def __array__(self, dtype=None, copy=None):
        return np.array(self.array, dtype=dtype, copy=True) if copy else np.asarray(self.array, dtype=dtype)

    def __repr__(self):
        return f"Image({self.array.shape}, {self.array.dtype}, spacing={self.spacing}, origin={self.origin})"

    def _geometry(self):
        geometry = _stages.Geometry()
        geometry.spacing = self.spacing
        geometry.origin = self.origin
        geometry.direction = self.direction.tolist()
        return geometry

    @classmethod
    def _of(cls, pair):
        array, geometry = pair
        return cls(array, geometry.spacing, geometry.origin, geometry.direction)


def as_image(image):
    """An Image as it is, an itk.Image (anything with GetSpacing, GetOrigin, GetDirection) or an array."""
    if isinstance(image, Image):
        return image
    if hasattr(image, "GetSpacing") and hasattr(image, "GetOrigin"):
        if len(tuple(image.GetSpacing())) != 2:
            raise ValueError("npsnet takes 2-D images: take one slice of a volume")
        direction = image.GetDirection()
        if hasattr(direction, "GetVnlMatrix"):
            matrix = direction.GetVnlMatrix()
            direction = [[matrix.get(row, column) for column in range(2)] for row in range(2)]
        return Image(np.asarray(image), tuple(image.GetSpacing()), _first_pixel(image),
                     np.asarray(direction, dtype=float).reshape(2, 2))
    return Image(image)


def _first_pixel(image):
    """Where the first pixel of the array lies: an image cut out of another starts at an index other than 0."""
    if hasattr(image, "GetBufferedRegion") and hasattr(image, "TransformIndexToPhysicalPoint"):
        return tuple(image.TransformIndexToPhysicalPoint(image.GetBufferedRegion().GetIndex()))
    return tuple(image.GetOrigin())


def to_itk(image):
    """An image of PyPI's itk package, which must be installed."""
    import itk

    image = as_image(image)
    result = itk.image_from_array(image.array, is_vector=image.array.ndim == 3)
    result.SetSpacing(image.spacing)
    result.SetOrigin(image.origin)
    result.SetDirection(image.direction)
    return result
