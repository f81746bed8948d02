#!/usr/bin/env python3
"""Lays out every dependency of the stand-alone build in one folder (./npsnet setup calls it).

Each step leaves a stamp: a finished step is never done again, a broken one is done again from its last whole file.
"""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import debian  # noqa: E402
import vtk_sdk  # noqa: E402
from download import Unavailable, fetch, sha256_of  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
VTK_VERSION = "9.6.2"
NEWER_SUITES = ("forky", "sid")
OWN_SUITE = ("bookworm",)


class Stack:
    """Layers: the core (ITK, pybind11), LibTorch (training, GPUs, bench), and what Logic and the tests need besides."""

    def __init__(self, prefix, torch, logic, cuda):
        self.prefix = os.path.abspath(prefix)
        self.torch = torch
        self.logic = logic
        self.cuda = cuda
        self.downloads = f"{self.prefix}/downloads"
        self.python = f"{self.prefix}/venv/bin/python"
        os.makedirs(self.downloads, exist_ok=True)

    def site(self):
        found = glob.glob(f"{self.prefix}/venv/lib/python3*/site-packages")
        return found[0] if found else ""

    def step(self, name, key, action):
        """Run action unless a stamp says that it was done for this key."""
        stamp = f"{self.prefix}/.{name}.done"
        if os.path.exists(stamp):
            with open(stamp) as stream:
                if stream.read() == key:
                    return
        print(f"-- {name}", file=sys.stderr, flush=True)
        action()
        with open(stamp + ".part", "w") as stream:
            stream.write(key)
        os.replace(stamp + ".part", stamp)

    def pip(self, *arguments):
        command = [self.python, "-m", "pip", "--disable-pip-version-check", *arguments]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            reasons = [line for line in result.stderr.splitlines() if line.startswith("ERROR")]
            raise Unavailable(
                f"pip could not provide {' '.join(a for a in arguments if '=' in a.lstrip('-') or a.endswith('.txt')) or 'a package'} "
                f"({(reasons or result.stderr.splitlines() or ['no reason given'])[-1]}); check the network and repeat."
            )

    def make_venv(self):
        shutil.rmtree(f"{self.prefix}/venv", ignore_errors=True)
        try:
            subprocess.run([sys.executable, "-m", "venv", f"{self.prefix}/venv"], check=True, capture_output=True)
        except subprocess.CalledProcessError as error:
            raise Unavailable("Python's venv module is missing; install the Debian package python3-venv.") from error
        self.pip("install", "--quiet", "--upgrade", "pip>=25")

    def install(self, requirements, *options):
        """Resolve with pip, download with resume, install from the folder: nothing is downloaded twice."""
        report = f"{self.prefix}/resolved.json"
        source = ("-r", f"{HERE}/{requirements}")
        self.pip("install", "--dry-run", "--ignore-installed", "--quiet", "--report", report, *options, *source)
        with open(report) as stream:
            resolved = json.load(stream)["install"]
        files = []
        for item in resolved:
            info = item["download_info"]
            path = f"{self.downloads}/{info['url'].split('#')[0].split('/')[-1]}"
            if info["url"].startswith("file:"):
                path = info["url"][len("file://"):]
            else:
                fetch(info["url"], path, info.get("archive_info", {}).get("hashes", {}).get("sha256"))
            files.append(path)
        os.remove(report)
        self.pip("install", "--quiet", "--no-index", "--no-deps", *files)

    def fetch_vtk_sdk_wheel(self):
        """The official SDK wheel, where the configured index (or NPSNET_VTK_SDK_INDEX) has one."""
        extra = os.environ.get("NPSNET_VTK_SDK_INDEX")
        options = ("--extra-index-url", extra) if extra else ()
        self.pip("install", "--quiet", "--no-deps", "--only-binary", ":all:", *options, f"vtk-sdk=={VTK_VERSION}")

    def make_vtk_sdk(self):
        try:
            self.fetch_vtk_sdk_wheel()
            return
        except Unavailable:
            pass  # the usual case off Kitware's own index
        names = ["libvtk9-dev", "vtk9", "python3-vtk9", "libvtk9.6", "libc6"]
        packages = debian.fetch_packages(names, NEWER_SUITES, lambda version: version.startswith(VTK_VERSION), self.downloads)
        work = f"{self.prefix}/vtk-debian"
        shutil.rmtree(work, ignore_errors=True)
        debian.unpack(packages[0], f"{work}/development")
        wanted = ("*vtkWrap*", "*libvtkWrappingTools*", "*/ld-linux-x86-64.so.2", "*/libc.so.6")
        for package in packages[1:]:
            debian.unpack(package, f"{work}/tools", wanted)
        vtk_sdk.assemble(f"{work}/development", f"{work}/tools", f"{self.site()}/vtkmodules", f"{self.prefix}/vtk-sdk")
        shutil.rmtree(work)

    def make_benchmark(self):
        archive = debian.fetch_source("benchmark", OWN_SUITE, self.downloads)
        work = f"{self.prefix}/benchmark"
        shutil.rmtree(work, ignore_errors=True)
        with tarfile.open(archive) as tar:
            root = tar.getmembers()[0].name.split("/")[0]
            tar.extractall(f"{work}.part")
        os.replace(f"{work}.part/{root}", work)
        shutil.rmtree(f"{work}.part", ignore_errors=True)

    def build(self):
        """Returns a sentence when a layer had to be left out."""
        python = f"{sys.executable} {sysconfig.get_config_var('VERSION')}"
        self.step("venv", python, self.make_venv)
        layers = [("requirements-sdk.txt", ("--no-deps",)), ("requirements.txt", ())]
        if self.torch:
            layers.append(("requirements-torch.txt", () if self.cuda else ("--no-deps",)))
        if self.logic:
            layers += [("requirements-logic.txt", ()), ("requirements-test.txt", ())]
        for name, options in layers:
            key = sha256_of(f"{HERE}/{name}") + str(options)
            self.step(name[:-4], key, lambda n=name, o=options: self.install(n, *o))
        if self.torch:
            self.step("benchmark", "1", self.make_benchmark)
        if self.logic:
            try:
                self.step("vtk-sdk", VTK_VERSION, self.make_vtk_sdk)
            except Unavailable as error:
                return f"Logic is left out because VTK's headers could not be had: {error}"
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prefix", required=True, help="folder to fill")
    parser.add_argument("--torch", action="store_true", help="also bring LibTorch (800 MB): training, GPUs, bench")
    parser.add_argument("--logic", action="store_true", help="also bring VTK, MRML and pytest: Logic/ and the tests")
    parser.add_argument("--cuda", action="store_true", help="with --torch, also bring its CUDA libraries (2 GB)")
    arguments = parser.parse_args()
    try:
        left_out = Stack(arguments.prefix, arguments.torch or arguments.cuda, arguments.logic, arguments.cuda).build()
    except Unavailable as error:
        sys.exit(f"npsnet setup: {error}")
    except KeyboardInterrupt:
        sys.exit("npsnet setup: interrupted; the same command goes on where it stopped.")
    except OSError as error:
        sys.exit(f"npsnet setup: {error.strerror}: {error.filename or arguments.prefix}")
    marker = os.path.join(arguments.prefix, "without-logic.txt")
    if not arguments.logic:
        return
    if left_out:
        with open(marker, "w") as stream:
            stream.write(left_out + "\n")
    elif os.path.exists(marker):
        os.remove(marker)


if __name__ == "__main__":
    main()
