"""One content, one form."""

import re

from mohs.charts.pdf import canonical

HEADER = b"%PDF-1.7\n%\x80\x80\x80\x80\n\n"


def pdf(objects: dict[int, bytes], root: int) -> bytes:
    """Write a file whose objects stand, and are numbered, as given."""
    text, places = HEADER, {}
    for number, body in objects.items():
        places[number] = len(text)
        text += b"%d 0 obj\n%b\nendobj\n\n" % (number, body)
    entries = b"".join(b"%010d 00000 n\r\n" % places[each] for each in sorted(places))
    size = len(objects) + 1
    table = b"xref\n0 %d\n0000000000 65535 f\r\n%b" % (size, entries)
    trailer = b"trailer\n<<\n  /Size %d\n  /Root %d 0 R\n>>" % (size, root)
    return text + table + trailer + b"\nstartxref\n%d\n%%%%EOF" % len(text)


CATALOGUE = b"<<\n  /Page %d 0 R\n>>"
PAGE = b"<<\n  /Font <<\n%b  >>\n  /Parent %d 0 R\n>>"
STREAM = b"<<\n  /Length 9\n>>\nstream\nq 7 0 R Q\nendstream"


def test_any_order_and_numbering_becomes_the_same_file() -> None:
    fonts = b"    /fo0 3 0 R\n    /fo1 4 0 R\n"
    one = {1: CATALOGUE % 2, 2: PAGE % (fonts, 1), 3: STREAM, 4: b"<<\n>>"}
    turned = b"    /fo1 1 0 R\n    /fo0 2 0 R\n"
    other = {3: CATALOGUE % 4, 1: b"<<\n>>", 2: STREAM, 4: PAGE % (turned, 3)}
    assert canonical(pdf(one, 1)) == canonical(pdf(other, 3)) == pdf(one, 1)


def test_what_is_out_of_reach_is_dropped() -> None:
    kept = {1: CATALOGUE % 2, 2: STREAM}
    assert canonical(pdf({**kept, 3: STREAM}, 1)) == pdf(kept, 1)


def test_streams_are_left_alone() -> None:
    # "7 0 R" within it is no reference, and there is no object of that number.
    assert b"q 7 0 R Q" in canonical(pdf({5: STREAM, 6: CATALOGUE % 5}, 6))


def test_the_index_says_where_the_objects_are() -> None:
    text = canonical(pdf({9: STREAM, 4: CATALOGUE % 9}, 4))
    places = [
        int(each) for each in re.findall(rb"^(\d{10}) 00000 n", text, re.MULTILINE)
    ]
    numbers = [int(text[place:].split()[0]) for place in places]
    assert numbers == [1, 2]
    assert text[int(text.split()[-2]) :].startswith(b"xref")
