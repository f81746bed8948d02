"""SegmentPhotograph.py PHOTO: optic disc and cup of one photograph as an array, and what is measured of them."""
import sys

import npsnet

result = npsnet.Analyzer()(sys.argv[1])
if result["labels"] is None:
    sys.exit(result["metrics"]["message"])
labels = result["labels"].array  # 0 background, 1 rim, 2 cup, in the photograph's own pixels
metrics = result["metrics"]
print(f"vCDR {metrics['measurements']['vcdr']:.3f}")
print(f"disc {(labels > 0).sum()} pixels, cup {(labels == 2).sum()} pixels, eye {metrics['eye']}")
print("flags:", ", ".join(metrics["flags"]) or "none")
