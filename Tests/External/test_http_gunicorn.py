"""Gunicorn's collection of valid and invalid requests (its own, and what smuggling and RFC 9112 taught it), as its
source holds it: on `/_bridge/echo` and `/_bridge/rpc`, whole and octet by octet."""

import sys

from http_exchange import AFTER, REFUSALS, HTTPTestCase, aimed
from sources import folder

SOURCE = folder("gunicorn-*")
sys.path.append(str(SOURCE / "tests"))
import treq  # noqa: E402

# The hosts that the files name.
HOSTS = ("example.com", "0.0.0.0", "a", "x", "whatever", "victim.com")

# File of `valid` → (what it is answered, why).
ANSWERED_OTHERWISE = {
    "002": (403, "not a name that --allow-host takes: PROTOCOL.md, A1"),
    "003": (403, "not a name that --allow-host takes: PROTOCOL.md, A1"),
    "005": (400, "a target has no fragment: RFC 9112, section 3.2"),
    "025": (501, "no transfer coding but chunked: RFC 9112, section 6.1"),
    "025_line": (501, "no transfer coding but chunked: RFC 9112, section 6.1"),
    "028": (400, "space before a colon, an option of Gunicorn: RFC 9112, section 5.1"),
    "029": (501, "identity is no transfer coding: RFC 9112, section 7"),
    "030": (501, "identity is no transfer coding: RFC 9112, section 7"),
    "099": (400, "the file is shorter than its Content-Length: RFC 9112, section 8"),
    "compat_obs_fold": (400, "folding, an option of Gunicorn: RFC 9112, section 5.2"),
    "compat_obs_fold_huge": (400, "folding, an option of Gunicorn: RFC 9112, section 5.2"),
    "pp_01": (400, "the PROXY protocol, an option of Gunicorn, is not HTTP"),
    "pp_02": (400, "the PROXY protocol, an option of Gunicorn, is not HTTP"),
    "pp_04": (400, "the PROXY protocol, an option of Gunicorn, is not HTTP"),
    "pp_05": (400, "the PROXY protocol, an option of Gunicorn, is not HTTP"),
    "rfc9112_smuggle_gzip_chunked_01": (501, "no transfer coding but chunked: RFC 9112, section 6.1"),
    "rfc9112_smuggle_te_identity_chunked_01": (501, "identity is no transfer coding: RFC 9112, section 7"),
    "rfc9112_target_absolute_userinfo_01": (400, "user information in a target: RFC 9110, section 4.2.4"),
    "rfc9112_target_asterisk_options_01": (204, "asks the server, not a path: RFC 9110, section 9.3.7"),
    "rfc9112_target_authority_connect_01": (405, "no tunnels: RFC 9110, section 9.3.6"),
    "rfc9112_target_authority_ipv6_01": (405, "no tunnels: RFC 9110, section 9.3.6"),
}
# File of `invalid` → why it is served.
SERVED_THOUGH_INVALID = {
    "003c": "a method is any token, Gunicorn wants three letters: RFC 9110, section 9.1",
    **dict.fromkeys(["006", "007", "008", "010", "011", "012", "017", "limit_header_default_01"],
                    "over a limit of Gunicorn's, not of ours: RFC 9112, section 3; PROTOCOL.md, section 8"),
    "019": "fields of proxies that contradict each other, which mean nothing here: RFC 9110, section 5.1",
    "040": "underscores in names, which only CGI takes for hyphens: RFC 9110, section 5.1",
    "chunked_07": "underscores in names, which only CGI takes for hyphens: RFC 9110, section 5.1",
    "041": "two Content-Types are no fault of framing: RFC 9110, section 5.3",
    **dict.fromkeys(["rfc9110_trailer_forbidden_cl_01", "rfc9110_trailer_forbidden_host_01",
                     "rfc9110_trailer_forbidden_te_01"],
                    "trailers are read past and never merged: RFC 9110, section 6.5.1"),
}
# What a request that is read is answered: its body from echo; a call, another method or another type from rpc.
SERVED = {"echo": {200, 403}, "rpc": {200, 403, 405, 415}}


def load(kind):
    """Name → (bytes, the requests that Gunicorn reads in them)."""
    files = {}
    for path in sorted((SOURCE / "tests/requests" / kind).glob("*.http")):
        expected = treq.load_py(str(path.with_suffix(".py")))["request"]
        read = treq.request(str(path), expected)
        files[path.stem] = (read.data, read.expect)
    return files


def as_bytes(body):
    return body.encode() if isinstance(body, str) else body


def persists(request):
    options = {value.lower() for name, value in request["headers"] if name == "CONNECTION"}
    return "close" not in options if request["version"] == (1, 1) else "keep-alive" in options


class Gunicorn(HTTPTestCase):
    # One file's request line is as long as is allowed before its target is made longer.
    arguments = (*HTTPTestCase.arguments, "--limit", "requestLine=8300",
                 *(item for host in HOSTS for item in ("--allow-host", host)))

    def each(self, files, check):
        """Checks every file on every route, whole and octet by octet."""
        for name, (data, expected) in files.items():
            for route in SERVED:
                for by_octet in (False, True):
                    with self.subTest(name, route=route, by_octet=by_octet):
                        check(name, aimed(data, route, len(expected)), expected, route, by_octet)
        self.report(f"{self._testMethodName}: {len(files)} files, on {len(SERVED)} routes, whole and octet by octet")

    def test_the_collection_is_whole(self):
        valid, invalid = load("valid"), load("invalid")
        self.assertEqual((len(valid), len(invalid)), (62, 81))
        self.assertLessEqual(ANSWERED_OTHERWISE.keys(), valid.keys())
        self.assertLessEqual(SERVED_THOUGH_INVALID.keys(), invalid.keys())
        self.report(f"{len(ANSWERED_OTHERWISE)} valid answered otherwise, {len(SERVED_THOUGH_INVALID)} invalid served")

    def test_valid_requests_are_served(self):
        def check(name, data, expected, route, by_octet):
            is_cut = name == "099"
            answers = self.exchange(data if is_cut else data + AFTER, by_octet, ends=is_cut)
            if name in ANSWERED_OTHERWISE:
                status = ANSWERED_OTHERWISE[name][0]
                self.assertEqual(answers[0][0], status if route == "echo" or not is_cut else 415)
                if status in REFUSALS:
                    self.assertRefused(answers, {status, 415})
                return
            served, after = answers[:len(expected)], answers[len(expected):]
            self.assertLessEqual({answer[0] for answer in served}, SERVED[route] - {403})
            if route == "echo":
                self.assertEqual([answer[2] for answer in served], [as_bytes(one["body"]) for one in expected])
                self.assertEqual([answer[0] for answer in after], [200] if persists(expected[-1]) else [])
        self.each(load("valid"), check)

    def test_invalid_requests_are_refused(self):
        def check(name, data, _, route, by_octet):
            # Quoted, so that a fragment is not the fault.
            answers = self.exchange(data.replace(b"#", b"%23") + AFTER, by_octet)
            if name in SERVED_THOUGH_INVALID:
                self.assertIn(answers[0][0], SERVED[route])
            else:
                self.assertRefused(answers)
        self.each({name: (data, [None]) for name, (data, _) in load("invalid").items()}, check)

    def test_invalid_requests_as_they_stand_are_refused(self):
        files = {name: data for name, (data, _) in load("invalid").items() if name not in SERVED_THOUGH_INVALID}
        for name, data in files.items():
            with self.subTest(name):
                # A page takes no POST, which is said before the body is looked at.
                self.assertRefused(self.exchange(data + AFTER, by_octet=False), REFUSALS | {405})
        self.report(f"{self._testMethodName}: {len(files)} files")
