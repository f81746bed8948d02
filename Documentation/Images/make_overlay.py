#!/usr/bin/env python3
"""The picture at the top of the README, from the report of a photograph:

  ./npsnet segment Resources/SampleData/RET023OS.jpg --out out
  Documentation/Images/make_overlay.py out/RET023OS_report.html Documentation/Images/overlay.png

Needs rsvg-convert (Debian: librsvg2-bin).
"""
import re
import subprocess
import sys

WIDTH, HEIGHT, PHOTO = 1200, 500, 468


def main(report, picture):
    with open(report, encoding="utf-8") as file:
        html = file.read()
    photo = re.search(r'<img alt="Optic disc with contours" src="([^"]+)"', html).group(1)
    plot = re.search(r'<svg ([^>]*aria-label="Rim width over the angle"[^>]*)>(.*?)</svg>', html, re.S)
    attributes = plot.group(1).replace('font-family="inherit"', 'font-family="DejaVu Sans"')
    svg = f"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 width="{WIDTH}" height="{HEIGHT}"><rect width="100%" height="100%" fill="white"/>
<image x="16" y="16" width="{PHOTO}" height="{PHOTO}" preserveAspectRatio="xMidYMid slice" xlink:href="{photo}"/>
<svg x="510" y="40" width="660" height="420" {attributes}>{plot.group(2)}</svg></svg>"""
    subprocess.run(["rsvg-convert", "--format", "png", "--output", picture], input=svg.encode(), check=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
