"""What the tests of `aiohttp` feed to its parser of requests, replayed on `/_bridge/echo`: what they say is refused is
refused, and what they say is read is read."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from http_exchange import AFTER, REFUSALS, HTTPTestCase, aimed
from sources import folder

# Test → why its requests are served.
SERVED_THOUGH_REFUSED = {
    "test_duplicate_non_security_singleton_header_rejected_strict": "no fault of framing: RFC 9110, section 5.3",
    "test_headers_old_websocket_key1": "a field of drafts that means nothing: RFC 9110, section 5.1",
    **dict.fromkeys(["test_http_request_message_after_close", "test_http_request_message_after_close_comma_list"],
                    "what follows the last request is not looked at: RFC 9112, section 9.6"),
}
# Tests of limits that are not ours, whose input ends where aiohttp's is passed: PROTOCOL.md, section 8.
OWN_LIMITS = {"test_max_header_field_size", "test_max_header_value_size", "test_max_header_combined_size",
              "test_max_trailer_size", "test_http_request_max_status_line"}
# Test → (what its first request is answered, why).
ANSWERED_OTHERWISE = {
    **dict.fromkeys(["test_conn_upgrade", "test_conn_upgrade_comma_list", "test_conn_upgrade_multiple_headers",
                     "test_http_request_upgrade", "test_http_request_upgrade_empty_body_allowed"],
                    (426, "a handshake without a version: RFC 6455, section 4.4")),
    "test_http_request_upgrade_with_body_read": (400, "a handshake with a body: RFC 6455, section 4.1"),
    "test_request_te_last_chunked": (501, "no transfer coding but chunked: RFC 9112, section 6.1"),
    "test_max_headers[py-parser-0-129]": (431, "over a limit of ours: PROTOCOL.md, section 8"),
    "test_upgrade_header_non_ascii": (400, "an upgrade to something else: RFC 6455, section 4.2.1"),
    **dict.fromkeys(["test_url_connect", "test_headers_connect"],
                    (400, "CONNECT without a port: RFC 9110, section 9.3.6")),
    "test_url_absolute": (403, "not a host that is served: PROTOCOL.md, A1"),
    "test_url_asterisk_form_options": (204, "asks the server, not a path: RFC 9110, section 9.3.7"),
    **dict.fromkeys(["test_http_request_parser_utf8_request_line", "test_parse_uri_utf8"],
                    (400, "a target is ASCII: RFC 3986, section 2")),
    "test_request_chunked": (400, "a head whose body does not come: RFC 9112, section 8"),
}


def record():
    """[(test, bytes, how many requests were read, whether what followed was refused)]."""
    tests = folder("aiohttp-*") / "tests"
    with tempfile.TemporaryDirectory() as scratch:
        result = pathlib.Path(scratch, "record.json")
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "aiohttp_recorder", "-p", "no:cacheprovider", "--noconftest",
             "-c", os.devnull, "--rootdir", tests, "-k", "py-parser and not response", tests / "test_http_parser.py"],
            env={**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).parent), "RECORD": str(result)},
            stdout=subprocess.DEVNULL)
        feeds = json.loads(result.read_text())
    parsers = {}
    for feed in feeds:
        parsers.setdefault((feed["test"], feed["parser"]), []).append(feed)
    return [(test, b"".join(bytes.fromhex(feed["data"]) for feed in feeds),
             sum(feed["requests"] for feed in feeds), feeds[-1]["refused"]) for (test, _), feeds in parsers.items()]


def why(table, test):
    """What the table has for the test, for all of its parameters or for these."""
    return table.get(test) or table.get(test.split("[")[0])


class AIOHTTP(HTTPTestCase):
    arguments = (*HTTPTestCase.arguments, "--limit", "requestLine=8300", "--allow-host", "a", "--allow-host", "example.com")

    @classmethod
    def setUpClass(cls):
        cls.record = record()
        super().setUpClass()

    def each(self, samples, check):
        self.assertGreater(len(samples), 80)
        for name, data, count in samples:
            with self.subTest(name, data=data[:200]):
                check(name, data, count)
        self.report(f"{self._testMethodName}: {len(samples)} inputs")

    def test_what_is_refused(self):
        def check(test, data, count):
            if why(SERVED_THOUGH_REFUSED, test):
                self.assertEqual(self.exchange(aimed(data, "echo") + AFTER, ends=True)[0][0], 200)
                return
            if test.split("[")[0] in OWN_LIMITS:
                self.assertIn(self.exchange(aimed(data, "echo") + AFTER, ends=True)[0][0], REFUSALS | {200})
                return
            # A page takes no POST, which is said before the body is looked at.
            self.assertRefused(self.exchange(data + AFTER, ends=True), REFUSALS | {405})
            if not test.startswith("test_missing_host_header_rejected"):
                self.assertRefused(self.exchange(aimed(data, "echo") + AFTER, ends=True))
        self.each([(name, data, count) for name, data, count, is_refused in self.record if is_refused], check)

    def test_what_is_read(self):
        def check(test, data, count):
            # Quoted, for a target has no fragment: RFC 9112, section 3.2.
            answers = self.exchange(aimed(data.replace(b"#", b"%23"), "echo", count) + AFTER, ends=True)
            self.assertEqual(answers[0][0], (why(ANSWERED_OTHERWISE, test) or (200, ""))[0], answers)
            self.assertLessEqual(len(answers), data.count(b" HTTP/1") + 1)
        self.each([(name, data, count) for name, data, count, is_refused in self.record if count and not is_refused],
                  check)
