"""Style.ClangFormat and Style.Cppcheck: every C++ source of the project is clean. Prints each offending file."""
import glob
import os
import subprocess
import sys

ROOMS = ("ITKFilters", "Logic", "NPSNetSegmentation", "Widgets", "Testing")
SUFFIXES = (".h", ".hxx", ".cxx", ".cu")


def sources(root, suffixes=SUFFIXES):
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(root, room)):
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(suffixes))


def main():
    check, root = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    if check == "format":
        command = ["clang-format", "--dry-run", "-Werror", *sources(root)]
    else:
        suppressions = os.path.join(here, "cppcheck-suppressions.txt")
        command = ["cppcheck", "--quiet", "--std=c++17", "--language=c++", "-j2", "--enable=warning,performance,portability",
                   "--inline-suppr", f"--suppressions-list={suppressions}", "--error-exitcode=1",
                   "-I", os.path.join(root, "ITKFilters/include"),
                   *(f"-I{folder}" for folder in sorted(glob.glob(os.path.join(root, "ITKFilters/src/*")))),
                   *sources(root, (".cxx",))]
    try:
        sys.exit(subprocess.run(command).returncode)
    except FileNotFoundError:
        sys.exit(f"{command[0]} is missing: install the Debian package {command[0]}.")


if __name__ == "__main__":
    main()
