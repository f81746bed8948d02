"""Downloads that survive a broken line: resumed by byte range, checked by SHA-256, renamed when whole."""
import hashlib
import os
import ssl
import sys
import time
import urllib.error
import urllib.request

CHUNK = 1 << 20
TRIES = 5


class Unavailable(RuntimeError):
    """One sentence for the user: what could not be had and what to do."""


def _ssl_context():
    for name in ("PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        if os.path.isfile(os.environ.get(name, "")):
            return ssl.create_default_context(cafile=os.environ[name])
    return ssl.create_default_context()


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        while block := stream.read(CHUNK):
            digest.update(block)
    return digest.hexdigest()


def read_url(url):
    """The whole content of a small file."""
    try:
        with urllib.request.urlopen(url, timeout=60, context=_ssl_context()) as answer:
            return answer.read()
    except (urllib.error.URLError, OSError) as error:
        raise Unavailable(f"{os.path.basename(url)} could not be read ({error}); check the network and repeat.") from error


def _show(name, done, total, started):
    if sys.stderr.isatty():
        rate = done / max(time.monotonic() - started, 1e-3) / 1e6
        share = f"{100 * done // total:3d} %" if total else ""
        sys.stderr.write(f"\r    {name} {done / 1e6:.0f} MB {share} {rate:.0f} MB/s \033[K")
        sys.stderr.flush()


def _append(url, part):
    """Fetch what is missing of url into part; True when the server says that it is whole."""
    have = os.path.getsize(part) if os.path.exists(part) else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    started = time.monotonic()
    with urllib.request.urlopen(request, timeout=60, context=_ssl_context()) as answer:
        resumed = have > 0 and answer.status == 206
        length = int(answer.headers.get("Content-Length") or 0)
        total = (have if resumed else 0) + length
        done = have if resumed else 0
        with open(part, "ab" if resumed else "wb") as stream:
            while block := answer.read(CHUNK):
                stream.write(block)
                done += len(block)
                _show(os.path.basename(part)[:-5], done, total, started)
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
    return not length or done == total


def fetch(url, target, sha256=None):
    """Bring url to target unless a good copy is there."""
    if os.path.exists(target) and (sha256 is None or sha256_of(target) == sha256):
        return target
    os.makedirs(os.path.dirname(target), exist_ok=True)
    part = target + ".part"
    problem = "the connection kept breaking"
    for attempt in range(TRIES):
        try:
            whole = _append(url, part)
        except urllib.error.HTTPError as error:
            problem = f"the server answered {error.code}"
            if error.code == 416 and os.path.exists(part):  # nothing left to fetch, or a stale rest
                whole = sha256 is not None and sha256_of(part) == sha256
                if not whole:
                    os.remove(part)
            elif error.code in (401, 403, 404):
                break
            else:
                whole = False
        except (urllib.error.URLError, OSError) as error:
            problem, whole = str(getattr(error, "reason", error)), False
        if whole:
            if sha256 is None or sha256_of(part) == sha256:
                os.replace(part, target)
                return target
            problem = "its checksum was wrong"
            os.remove(part)
        time.sleep(min(2**attempt, 10))
    raise Unavailable(
        f"{os.path.basename(target)} could not be downloaded ({problem}); check the network and run the same command again, "
        "it goes on where it stopped."
    )
