"""What the command-line modules say when something is wrong."""


def one_sentence(result, code, *parts):
    assert result.returncode == code, result.stderr
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    for part in parts:
        assert part in lines[0], result.stderr
