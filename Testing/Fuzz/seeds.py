"""seeds.py FOLDER: small model files for fuzzModelFile, good ones and the pickle of the published format."""

import io
import json
import pathlib
import pickle
import struct
import sys
import types
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def torch_global(module, name):
    """A global that pickles as torch's, without torch."""
    sys.modules.setdefault(module, types.ModuleType(module))
    made = type(name, (), {"__module__": module, "__qualname__": name})
    setattr(sys.modules[module], name, made)
    return made


for package in ("torch", "torch._utils"):
    sys.modules.setdefault(package, types.ModuleType(package))
STORAGES = {name: torch_global("torch", name) for name in ("FloatStorage", "HalfStorage", "LongStorage")}
REBUILD = torch_global("torch._utils", "_rebuild_tensor_v2")
SIZES = {"FloatStorage": 4, "HalfStorage": 2, "LongStorage": 8}


class Storage:
    def __init__(self, kind, key, count):
        self.kind, self.key, self.count = kind, key, count


class Tensor:
    def __init__(self, kind, key, shape):
        strides, count = [], 1
        for extent in reversed(shape):
            strides.insert(0, count)
            count *= extent
        self.storage, self.shape, self.strides = Storage(kind, key, count), tuple(shape), tuple(strides)

    def __reduce__(self):
        return REBUILD, (self.storage, 0, self.shape, self.strides, False, {})


class Pickler(pickle.Pickler):
    def persistent_id(self, value):
        if isinstance(value, Storage):
            return "storage", STORAGES[value.kind], value.key, "cpu", value.count
        return None


def write_checkpoint(path, content, storages):
    program = io.BytesIO()
    Pickler(program, protocol=2).dump(content)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("archive/data.pkl", program.getvalue())
        archive.writestr("archive/version", "3\n")
        for storage in storages:
            archive.writestr(f"archive/data/{storage.key}", bytes(SIZES[storage.kind] * storage.count))


def write_safetensors(path, tensors, metadata):
    header, offset = {"__metadata__": metadata}, 0
    for name, (kind, size, shape) in tensors.items():
        count = size
        for extent in shape:
            count *= extent
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [offset, offset + count]}
        offset += count
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + bytes(offset))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {"encoder.weight": Tensor("FloatStorage", "0", [4, 3, 3, 3]), "encoder.bias": Tensor("HalfStorage", "1", [4]),
               "norm.num_batches_tracked": Tensor("LongStorage", "2", [])}
    storages = [tensor.storage for tensor in tensors.values()]
    write_checkpoint(folder / "bare.pth", tensors, storages)
    whole = {"epoch": 3, "best": 0.5, "name": "b4", "model_state_dict": tensors, "history": [(1, None, True), {2.5, -1}]}
    write_checkpoint(folder / "whole.pth", whole, storages)
    with zipfile.ZipFile(ROOT / "Testing/Data/oracle/b4_narrow/checkpoint_b4_narrow.pth") as published:
        program = next(name for name in published.namelist() if name.endswith("/data.pkl"))
        with zipfile.ZipFile(folder / "published.pth", "w", zipfile.ZIP_STORED) as archive:
            archive.writestr(program, published.read(program))
    for source in sorted((ROOT / "Resources/Models").glob("*.safetensors")):
        data = source.read_bytes()
        header = json.loads(data[8 : 8 + struct.unpack("<Q", data[:8])[0]])
        small = {name: ("F32", 4, [2, 3]) for name in list(header)[1:4]}
        write_safetensors(folder / source.name, small, header["__metadata__"])


if __name__ == "__main__":
    main()
