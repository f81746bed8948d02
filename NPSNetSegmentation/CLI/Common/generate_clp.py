#!/usr/bin/env python3
"""Write <Name>CLP.h from a Slicer execution-model XML.

The header declares, inside PARSE_ARGS, the variables that Slicer's own GenerateCLP would declare, with the same
names and types. Past GenerateCLP the program enforces the XML's <constraints> and says mistakes in one sentence.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree

SCALARS = {"integer": "int", "float": "float", "double": "double", "boolean": "bool", "string": "std::string"}
VECTORS = {"integer-vector": "int", "float-vector": "float", "double-vector": "double", "string-vector": "std::string"}
ENUMERATIONS = {"string-enumeration": "std::string", "integer-enumeration": "int"}
FILES = {"file", "directory", "image", "table", "geometry", "transform", "measurement", "pointfile"}
POINTS = {"point", "region"}
SIMPLE = set(SCALARS) | set(VECTORS) | set(ENUMERATIONS)
INITIAL = {"int": "0", "float": "0.0f", "double": "0.0", "bool": "false"}
# Names that GenerateCLP adds to every module.
AUTOMATIC = [
    ("file", "returnParameterFile", "returnparameterfile", "File in which to write simple return parameters."),
    ("string", "processInformationAddressString", "processinformationaddress",
     "Accepted for Slicer's sake; this module always runs as a process of its own."),
]


class Problem(Exception):
    pass


def literal(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


class Parameter:
    def __init__(self, element, group):
        self.tag = element.tag
        if self.tag not in SIMPLE | FILES | POINTS:
            raise Problem(f"<{self.tag}> is not a parameter type of Slicer's execution model")
        self.group = group
        text = lambda name: " ".join((element.findtext(name) or "").split())
        self.name, self.label, self.description = text("name"), text("label"), text("description")
        self.flag, self.longflag = text("flag").lstrip("-"), text("longflag").lstrip("-")
        self.default, self.index, self.channel = text("default"), text("index"), text("channel")
        self.multiple = element.get("multiple") == "true"
        self.hidden = element.get("hidden") == "true"
        self.minimum, self.maximum = text("constraints/minimum"), text("constraints/maximum")
        self.allowed = [" ".join((e.text or "").split()) for e in element.findall("element")]
        self.check()

    def check(self):
        if not re.fullmatch(r"[A-Za-z_]\w*", self.name):
            raise Problem(f"<name>{self.name}</name> is not a C++ identifier")
        if not self.label or not self.description:
            raise Problem(f"{self.name} needs a label and a description")
        if self.tag in ENUMERATIONS and self.default not in self.allowed:
            raise Problem(f"the default of {self.name} is not one of its elements")
        if self.is_return and (self.flag or self.longflag):
            raise Problem(f"{self.name} is a return parameter: it takes no flag")
        if not self.is_return and not (self.flag or self.longflag or self.index):
            raise Problem(f"{self.name} has neither flag nor index")
        if not re.fullmatch(r"\w*", self.longflag):
            raise Problem(f"the long flag of {self.name} may have letters, digits and underscores only: Slicer's parser")
        for bound in (self.minimum, self.maximum):
            if bound and not re.fullmatch(r"[-+]?\d+(\.\d+)?", bound):
                raise Problem(f"the constraint {bound} of {self.name} is not a number")
        if self.default and not self.within(self.default):
            raise Problem(f"the default of {self.name} is outside its constraints")
        if '"' in self.description:
            raise Problem(f"the description of {self.name} has a double quote, which GenerateCLP cannot take")

    def within(self, value):
        return (not self.minimum or float(self.minimum) <= float(value)) and \
               (not self.maximum or float(value) <= float(self.maximum))

    @property
    def is_return(self):
        return self.channel == "output" and self.tag in SIMPLE

    @property
    def cpp_type(self):
        if self.tag in POINTS:
            return "std::vector<std::vector<float>>" if self.multiple else "std::vector<float>"
        if self.tag in VECTORS:
            return f"std::vector<{VECTORS[self.tag]}>"
        base = SCALARS.get(self.tag) or ENUMERATIONS.get(self.tag) or "std::string"
        return f"std::vector<{base}>" if self.multiple else base

    def declaration(self):
        cpp = self.cpp_type
        if cpp.startswith("std::vector"):
            if self.default:
                items = [item.strip() for item in self.default.split(",")]
                items = [literal(item) if "string" in cpp else item for item in items]
                return f"{cpp} {self.name}{{ {', '.join(items)} }};"
            return f"{cpp} {self.name};"
        if cpp == "std::string":
            return f"{cpp} {self.name} = {literal(self.default)};"
        return f"{cpp} {self.name} = {self.default or INITIAL[cpp]};"

    def registration(self):
        allowed = ", ".join(literal(value) for value in self.allowed)
        fields = [literal(self.name), literal(self.flag), literal(self.longflag), literal(self.group),
                  literal(self.description), literal(self.default), literal(self.tag), self.index or "-1",
                  "true" if self.hidden else "false", f"{{ {allowed} }}", literal(self.minimum), literal(self.maximum)]
        return f"npsnetCommandLine.Add({self.name}, {{ {', '.join(fields)} }});"


def read_module(path):
    root = ElementTree.parse(path).getroot()
    if root.tag != "executable":
        raise Problem("the root element is not <executable>")
    parameters = []
    for group in root.findall("parameters"):
        label = " ".join((group.findtext("label") or "").split())
        parameters += [Parameter(e, label) for e in group if e.tag not in ("label", "description")]
    for tag, name, longflag, description in AUTOMATIC:
        element = ElementTree.Element(tag, hidden="true")
        for child, value in (("name", name), ("label", name), ("longflag", longflag), ("description", description)):
            ElementTree.SubElement(element, child).text = value
        parameters.append(Parameter(element, "Slicer"))
    for field in ("name", "longflag", "flag", "index"):
        values = [getattr(p, field) for p in parameters if getattr(p, field)]
        for value in values:
            if values.count(value) > 1:
                raise Problem(f"two parameters have the {field} {value}")
    return root, parameters


def main():
    source, destination, name = sys.argv[1:4]
    try:
        root, parameters = read_module(source)
    except (Problem, ElementTree.ParseError) as problem:
        sys.exit(f"{source}: {problem}")
    with open(source, encoding="utf-8") as file:
        xml = file.read()
    text = lambda tag: literal(" ".join((root.findtext(tag) or "").split()))
    body = [("[[maybe_unused]] " if p.is_return else "") + p.declaration() for p in parameters]
    body += ["{", f"npsnet::CommandLine npsnetCommandLine({literal(name)}, {text('title')}, {text('description')}, "
                  f"{text('version')}, XMLModuleDescription);"]
    body += [p.registration() for p in parameters if not p.is_return]
    body += ["if (!npsnetCommandLine.Parse(argc, argv)) { return npsnetCommandLine.GetExitCode(); }", "}"]
    joined = " \\\n  ".join(body)
    with open(destination, "w", encoding="utf-8") as file:
        file.write(f"// Generated from {name}.xml by generate_clp.py: do not edit.\n#ifndef {name}CLP_h\n"
                   f"#define {name}CLP_h\n\n#include \"npsnetCommandLine.h\"\n\n"
                   f"static const char XMLModuleDescription[] = R\"npsnetxml({xml})npsnetxml\";\n\n"
                   f"#define PARSE_ARGS \\\n  {joined}\n\n#endif\n")


if __name__ == "__main__":
    main()
