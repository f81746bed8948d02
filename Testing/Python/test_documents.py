"""What the documents say of the program is what its sources say."""
import re

from conftest import ROOT

SOURCES = ("Logic", "Widgets", "NPSNetSegmentation", "ITKFilters/src", "Resources/UI")


def test_the_tutorial_quotes_what_the_program_says():
    text = "".join(path.read_text() for folder in SOURCES for path in sorted((ROOT / folder).rglob("*"))
                   if path.suffix in (".cxx", ".h", ".ui"))
    said = re.sub(r'"\s*\n\s*"', "", text)
    table = (ROOT / "Documentation/SlicerTutorial.md").read_text().split("## When something is odd")[1].split("##")[0]
    quoted = re.findall(r'^\| "([^"]+)"', table, re.M)
    assert len(quoted) >= 2
    assert [sentence for sentence in quoted if sentence not in said] == []


def test_the_trainer_describes_every_key_it_takes():
    code = (ROOT / "ITKFilters/Torch/Training/itkTrainingConfiguration.cxx").read_text()
    keys = set(re.findall(r'\{ "(\w+)", &', code)) | set(re.findall(r'ReadNumber\(\w+, "(\w+)"', code))
    keys |= set(re.findall(r'"(\w+)"', code.split("known = {")[1].split("};")[0]))
    assert len(keys) > 70
    described = set(re.findall(r'"(\w+)"', (ROOT / "ITKFilters/include/itkNPSNetTrainer.h").read_text()))
    assert sorted(keys - described) == []
