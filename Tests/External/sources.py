"""The collections that others wrote, as `Tests/run --external` has unpacked them, and a server to run them on."""

import os
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[1:1] = [str(TESTS / "Edges"), str(TESTS / "ThirdParty")]
from support import ROOT, BridgeTestCase  # noqa: E402

UNPACKED = ROOT / ".build/external-sources"


def folder(pattern):
    """The one folder of the unpacked sources that matches."""
    found = [path for path in UNPACKED.glob(pattern) if path.is_dir()]
    if len(found) != 1:
        raise FileNotFoundError(f"{pattern} is there {len(found)} times in {UNPACKED}")
    return found[0]


class ExternalTestCase(BridgeTestCase):
    """Prints what was run, so that a collection that has shrunk is seen."""

    # Nobody reads what the server logs.
    arguments = ("--quiet",)

    def report(self, text):
        print(f"  {type(self).__name__}: {text}", file=sys.stderr)
