"""Public data that papers read: what it is, whose it is, and where to get it.

A source has the name that its file has in a folder of data. What may be fetched by
anyone has addresses; what may not, or is kept in a form that only another program
reads, has instructions. Hashes are of what was seen: where there is none, nothing
vouches for the file but its address.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from mohs.papers.conversions import in_rows, packed, social_feedback
from mohs.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Sequence


class Convert(Protocol):
    """Turns the contents of fetched files into that of the file that is read."""

    def __call__(self, contents: Sequence[bytes], /) -> bytes:
        """Return the content."""
        ...


@dataclass(frozen=True, slots=True)
class Address:
    """Where a file can be fetched, with the hash of its content where it is known."""

    url: str
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or a folder of files, under the ``name`` that it has in a folder of data.

    ``about`` says what it is, ``origin`` whose, and ``licence`` how it may be used.
    ``instruction`` says how to get it where ``addresses`` has nothing to fetch.
    ``convert`` makes the file that is read of those that were fetched, and ``sha256``
    is the hash of what comes out.
    """

    name: str
    about: str
    origin: str
    licence: str
    instruction: str = ""
    addresses: tuple[Address, ...] = ()
    convert: Convert | None = None
    sha256: str | None = None


SOURCES: Registry[Source] = Registry("source of data")

_GITHUB = "https://raw.githubusercontent.com"
_UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/00432/Data"
_NO_LICENCE = "no licence file"
_TREC8 = "github.com/isoboroff/trec8-scores"
_WEB2012 = "github.com/trec-web/trec-web-2014"
_MATLAB = (
    "open the .mat files in its folder data with the command serload of the MATTERS"
    " library for MATLAB, and write one row for a score, with the columns collection"
    " (T05 to T10), topic, system, stoplist, {parts}, measure and value"
)


def _add(*sources: Source) -> None:
    for source in sources:
        SOURCES.add(source.name)(source)


_add(
    Source(
        "matrices/trec8_ap.csv",
        "AP of the 129 ad hoc runs of TREC-8, topics in rows",
        "github.com/KevinRoitero/NewBestSub, data/AH99.csv",
        "MIT",
        addresses=(
            Address(
                f"{_GITHUB}/KevinRoitero/NewBestSub/"
                "933c22c1f3cf8db3eeb51390623e886e13cd5214/data/AH99.csv"
            ),
        ),
        convert=in_rows,
        sha256="7651cd4a0eff8849e9acc94d3c3c504fd45d6ef521a64b3330e827f7faaffc9d",
    ),
    Source(
        "matrices/web2014_ndcg20.csv",
        "nDCG@20 of 30 runs of the TREC 2014 web track, topics in rows",
        "github.com/Miccighel/NewBestSub",
        "MIT",
        "take the matrix from its folder data, and write topics in rows, systems in"
        " columns, under a first line of topic and the systems' names",
    ),
    Source(
        "web2012/qrels.txt.gz",
        "judgments of the TREC 2012 web track, grades from -2 to 4",
        "github.com/castorini/anserini, qrels.web.151-200.txt",
        "NIST's, without a licence file",
        addresses=(
            Address(
                f"{_GITHUB}/castorini/anserini/"
                "9c1a82abdbb9f754ffbe095526ff6dfa0b64cfe5/src/main/resources/"
                "topics-and-qrels/qrels.web.151-200.txt",
                "f04ee8368da4d3329e97ef8b5a859598626d1bcc7bf6a7971964d7a2a3b26c0e",
            ),
        ),
        convert=packed,
    ),
    Source(
        "web2012/runs",
        "runs on topics 151-200 of the TREC web track",
        _WEB2012,
        _NO_LICENCE,
        "copy the eight files of its folders data/runs/baselines/2012/ql and rm, each"
        " under a name of its own, such as indri_ql_results-cata.run; the runs that"
        " were sent to TREC have to be asked for at trec.nist.gov",
    ),
    Source(
        "g20/qrels.txt",
        "graded judgments of your own, to be taken instead of those of the web track",
        "you",
        "yours",
        "put them there in TREC's format; they may be compressed all the same",
    ),
    Source(
        "g20/runs",
        "runs on the topics of your own judgments",
        "you",
        "yours",
        "put them there in TREC's format, a file for each system",
    ),
    Source(
        "trec8/qrels.txt.gz",
        "judgments of the TREC-8 ad hoc task",
        "trec.nist.gov",
        "NIST's, without a licence file",
        "take those of the ad hoc task of TREC-8 from trec.nist.gov/data/qrels_eng/,"
        " and join their parts into one file, compressed with gzip",
    ),
    Source(
        "trec8/runs",
        "official runs of the TREC-8 ad hoc task, as input.NAME or input.NAME.gz",
        f"trec.nist.gov; some are in {_TREC8}",
        "for research, not to be passed on",
        "ask trec.nist.gov for the archive of past results, or copy the files of the"
        f" folder inputs of {_TREC8}",
    ),
    Source(
        "ehealth2018/qrels.txt.gz",
        "judgments of the CLEF eHealth 2018 IR task, grades from 0 to 2",
        "github.com/CLEFeHealth/CLEFeHealth2018IRtask",
        _NO_LICENCE,
        "copy the judgments of its ad hoc subtask, compressed with gzip",
    ),
    Source(
        "ehealth2018/runs",
        "runs of the CLEF eHealth 2018 IR task",
        "github.com/CLEFeHealth/CLEFeHealth2018IRtask",
        _NO_LICENCE,
        "copy its runs and baselines, each as NAME.run.gz",
    ),
    Source(
        "formulations/ehealth2016/qrels.txt.gz",
        "judgments of the CLEF eHealth 2016 IR task, by topic",
        "github.com/CLEFeHealth/CLEFeHealth2016-IRtask",
        _NO_LICENCE,
        "copy its judgments, with the first three digits of a query as its topic,"
        " compressed with gzip",
    ),
    Source(
        "formulations/ehealth2016/runs",
        "runs of the CLEF eHealth 2016 IR task, six wordings of every topic",
        "github.com/CLEFeHealth/CLEFeHealth2016-IRtask",
        _NO_LICENCE,
        "copy its runs, each as NAME.run.gz",
    ),
    Source(
        "formulations/robust04_uqv_ql_ap.tsv",
        "AP of 3,175 wordings of the topics of Robust 2004, under one system",
        "github.com/Zendelo/IRQPP",
        "MIT",
        "copy the AP of its user query variations by query likelihood, as lines of"
        " query and AP",
    ),
    Source(
        "grid-of-points/sigir2016.parquet",
        "five measures of 560 systems on TREC 5 to 8, one score in a row",
        "github.com/gridofpoints/trec-sigir2016",
        "Apache-2.0",
        _MATLAB.format(parts="lug, model"),
    ),
    Source(
        "grid-of-points/jasist2017.parquet",
        "nine measures of 4,284 systems on TREC 7 to 10, one score in a row",
        "github.com/gridofpoints/trec-jasist2017",
        "Apache-2.0",
        _MATLAB.format(parts="lug, model, ltr, query"),
    ),
    Source(
        "items/news_popularity.csv",
        "how often news on one topic were shared, at four times after they appeared",
        "News Popularity in Multiple Social Media Platforms (Moniz and Torgo), UCI",
        "CC BY 4.0",
        # What the archive sends now is not what it may send tomorrow, so there is no
        # hash: nobody has promised that the files stay as they are.
        addresses=tuple(
            Address(f"{_UCI}/{platform}_Palestine.csv")
            for platform in ("Facebook", "GooglePlus", "LinkedIn")
        ),
        convert=social_feedback,
    ),
    *(
        Source(
            f"z19/{kind}.csv",
            f"AP of {whose} on several collections, one score in a row",
            "your own",
            "yours",
            "write one row for a score, with the columns collection (R04, C17 and TREC6"
            f" where it is one of these), topic, system{more} and value",
        )
        for kind, whose, more in (
            ("official", "official systems", ""),
            ("grid", "a grid of systems", ", ir_model, stemmer, qe"),
        )
    ),
)
