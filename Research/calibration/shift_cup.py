#!/usr/bin/env python3
"""Writes a copy of a segmentation model whose cup gate answers with a logit higher by SHIFT everywhere (a larger cup for
SHIFT > 0), and says what the file is. One number, to be chosen on validation photographs.

usage: shift_cup.py MODEL.safetensors OUT.safetensors SHIFT     (needs numpy)
"""
import hashlib
import json
import os
import struct
import sys

import numpy

TENSOR = "cup_head.cup_bias_conv.bias"
TYPES = {"F16": numpy.float16, "F32": numpy.float32}


def main(source, target, shift):
    with open(source, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = bytearray(file.read())
    entry = header[TENSOR]
    begin, end = entry["data_offsets"]
    values = numpy.frombuffer(bytes(data[begin:end]), TYPES[entry["dtype"]])
    data[begin:end] = (values + float(shift)).astype(values.dtype).tobytes()
    metadata = json.loads(header["__metadata__"]["npsnet"])
    metadata["description"] += f", cup gate {float(shift):+g}"
    metadata["tensor_sha256"] = hashlib.sha256(data).hexdigest()
    header["__metadata__"]["npsnet"] = json.dumps(metadata)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(target + ".tmp", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)
    os.replace(target + ".tmp", target)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
