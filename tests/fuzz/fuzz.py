"""Let atheris look for bytes that break what must hold: `fuzz.py CHECK [OPTION...]`.

The options are those of libFuzzer. Coverage guides it through the readers written in
Python and, in place of the readers in Rust, through the second reader, which takes the
same turns. What it found interesting is kept in core/target/fuzz, which `make clean`
removes.
"""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
KEPT = TESTS.parent / "core" / "target" / "fuzz"

# A hang is what takes this many seconds; texts are of at most so many bytes.
LIMITS = ("-timeout=10", "-rss_limit_mb=4096", "-max_len=4096")


def main() -> None:
    """Fuzz one check."""
    import atheris

    name, *options = sys.argv[1:]
    sys.path.insert(0, str(TESTS))
    with atheris.instrument_imports(include=["mohs", "reference"]):
        import hostile
    folder = KEPT / name
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(hostile.SEEDS[name]):
        (folder / f"seed-{number}").write_bytes(seed)
    words = KEPT / "words"
    junk = hostile.odd_texts.JUNK
    lines = ("".join(f"\\x{byte:02x}" for byte in word) for word in junk)
    words.write_text("".join(f'"{line}"\n' for line in lines))
    where = (f"-dict={words}", f"-artifact_prefix={KEPT / name}-", str(folder))
    atheris.Setup([sys.argv[0], *LIMITS, *options, *where], hostile.CHECKS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
