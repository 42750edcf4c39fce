"""The WebSocket cases of the Autobahn test suite, as the package `kosoku` runs them, on `/_bridge/echo`."""

import asyncio
import collections

import kosoku

from sources import ExternalTestCase

# How many cases each section has.
SECTIONS = {"1": 16, "2": 11, "3": 7, "4": 10, "5": 20, "6": 145, "7": 37, "9": 54, "10": 1}
# What RFC 6455 leaves open: data after a close frame, and close codes that nobody has given a meaning.
OPEN = {"7.1.6", "7.13.1", "7.13.2"}


def run(url, cases):
    try:
        return asyncio.run(kosoku.run_fuzzingclient(url, cases))
    except kosoku.FailureError as failure:
        return failure.results


class Autobahn(ExternalTestCase):
    # A ping of the server's own would count among what a case was answered.
    arguments = (*ExternalTestCase.arguments, "--limit", "pingInterval=3600")

    @property
    def echo(self):
        return f"ws://127.0.0.1:{self.server.port}/_bridge/echo"

    def test_sections_1_to_7_and_9_and_10(self):
        results = run(self.echo, [f"{section}.*" for section in SECTIONS])
        self.assertEqual(dict(collections.Counter(one.case_id.split(".")[0] for one in results)), SECTIONS)
        for one in results:
            with self.subTest(case=one.case_id):
                wanted = "INFORMATIONAL" if one.case_id in OPEN else "OK"
                self.assertEqual(one.behavior.value, wanted, f"{one.description}\n{one.result}\n{one.received}")
                self.assertEqual(one.behavior_close.value, wanted, one.result_close)
                self.assertTrue(one.was_clean, one.was_not_clean_reason)
        behaviors = collections.Counter(one.behavior.value for one in results)
        self.report(f"{len(results)} cases: {dict(behaviors)}")

    def test_compression_is_declined_whatever_is_offered(self):
        results = run(self.echo, ["12.*", "13.*"])
        self.assertGreater(len(results), 0)
        for one in results:
            with self.subTest(case=one.case_id):
                self.assertEqual(one.behavior.value, "UNIMPLEMENTED", one.result)
        self.report(f"{len(results)} cases of compression: declined")
