"""Debian packages and sources, asked through apt's own mirror setting, unpacked under the build folder."""
import lzma
import os
import subprocess

from download import Unavailable, fetch, read_url


def mirror():
    try:
        text = subprocess.run(
            ["apt-get", "indextargets", "--format", "$(REPO_URI)"], check=True, capture_output=True, text=True
        ).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable("apt-get is needed to find the Debian mirror and could not be run; this build wants Debian 12.") from error
    for line in sorted(set(text.split())):
        if line.rstrip("/").endswith("/debian"):
            return line if line.endswith("/") else line + "/"
    raise Unavailable("apt is set up without a Debian mirror; add one to its sources and repeat.")


def stanzas(suite, index):
    """The paragraphs of an index (binary-amd64/Packages or source/Sources) as dictionaries."""
    text = lzma.decompress(read_url(f"{mirror()}dists/{suite}/main/{index}.xz")).decode("utf-8", "replace")
    for paragraph in text.split("\n\n"):
        fields, key = {}, None
        for line in paragraph.split("\n"):
            if line[:1] in (" ", "\t") and key:
                fields[key] += "\n" + line.strip()
            elif ":" in line:
                key, value = line.split(":", 1)
                fields[key] = value.strip()
        if fields:
            yield fields


def fetch_packages(names, suites, accept, downloads):
    """Paths of the .deb files of names out of the first suite whose first name has an accepted version."""
    for suite in suites:
        try:
            found = {s["Package"]: s for s in stanzas(suite, "binary-amd64/Packages") if s.get("Package") in names}
        except Unavailable:
            continue
        if set(names) <= found.keys() and accept(found[names[0]]["Version"]):
            return [
                fetch(mirror() + found[n]["Filename"], os.path.join(downloads, os.path.basename(found[n]["Filename"])), found[n]["SHA256"])
                for n in names
            ]
    raise Unavailable(f"none of Debian's suites {', '.join(suites)} offers a fitting {names[0]} any more.")


def fetch_source(package, suites, downloads):
    """Path of the upstream tarball of a source package."""
    for suite in suites:
        try:
            listing = [s for s in stanzas(suite, "source/Sources") if s.get("Package") == package]
        except Unavailable:
            continue
        for stanza in listing:
            for line in stanza.get("Checksums-Sha256", "").split("\n"):
                words = line.split()
                if len(words) == 3 and ".orig.tar" in words[2] and not words[2].endswith(".asc"):
                    url = f"{mirror()}{stanza['Directory']}/{words[2]}"
                    return fetch(url, os.path.join(downloads, words[2]), words[0])
    raise Unavailable(f"the sources of {package} are in none of Debian's suites {', '.join(suites)}.")


def unpack(deb, folder, patterns=()):
    """Extract a .deb (only members matching patterns, if given) without installing it."""
    os.makedirs(folder, exist_ok=True)
    data = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE)
    extract = ["tar", "x", "-C", folder] + (["--wildcards", *patterns] if patterns else [])
    status = subprocess.run(extract, stdin=data.stdout, stderr=subprocess.DEVNULL).returncode
    data.stdout.close()
    # with patterns, tar also fails when one of them matches nothing in this package
    if (data.wait() or status) and not patterns:
        raise Unavailable(f"{os.path.basename(deb)} could not be unpacked; delete it and run the same command again.")
