"""Style.Shelves: files of ITKFilters include only headers of their own shelf and of those it may use (MAY_USE)."""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)
SHELF = re.compile(r"npsnet_shelf\((\w+)\s+\w+(.*?)\)", re.S)


def words_after(keyword, text):
    found = re.search(keyword + r"\s+(.*?)(?=MAY_USE|HEADERS|SOURCES|$)", text, re.S)
    return found.group(1).split() if found else []


def main():
    root = pathlib.Path(sys.argv[1]) / "ITKFilters"
    faults, may_use, files, shelf_of = [], {}, {}, {}
    for folder in sorted({path.parent for path in (*root.glob("src/*/CMakeLists.txt"), *root.glob("Torch/*/CMakeLists.txt"))}):
        listed = set()
        for name, text in SHELF.findall((folder / "CMakeLists.txt").read_text()):
            if name != folder.name:
                faults.append(f"{folder}: the shelf is called {name}")
            may_use.setdefault(name, set()).update(words_after("MAY_USE", text))
            listed.update(folder / source for source in words_after("SOURCES", text))
            files.setdefault(name, set()).update(root / "include" / header for header in words_after("HEADERS", text))
        files[folder.name] |= listed | set(folder.glob("*.h"))
        faults += [f"{path} is in no list" for path in sorted(set(folder.glob("*.cxx")) - listed)]
    for shelf, paths in files.items():
        shelf_of.update((path.name, shelf) for path in paths)
    listed = {path for paths in files.values() for path in paths}
    faults += [f"{path} belongs to no shelf" for path in sorted(root.glob("include/**/*.h*")) if path not in listed]
    for shelf, paths in files.items():
        for path in sorted(paths):
            for include in INCLUDE.findall(path.read_text()):
                other = shelf_of.get(pathlib.PurePath(include).name, shelf)
                if other != shelf and other not in may_use[shelf]:
                    faults.append(f"{path} includes {include} of {other}; {shelf} may use {' '.join(sorted(may_use[shelf]))}")
    sys.exit("\n".join(faults) if faults else None)


if __name__ == "__main__":
    main()
