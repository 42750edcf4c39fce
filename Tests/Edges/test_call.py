"""`bridgehead call` and servers that are no bridge, or half of one: it always ends, and says what came."""

import os
import subprocess
import time
import unittest

from fake import Fake
from raw import BINARY, EXECUTABLE, TEXT, frame

TRANSPORTS = ("http", "ws", "lines", "unix")


class Call(unittest.TestCase):
    def test_an_answer_that_is_none_ends_it_and_is_shown(self):
        nested = b'{"requestId":1,"response":' + b"[" * 2000 + b"]" * 2000 + b"}"
        for answer, shown in (
                (b"<html>\x1b[31m hello </html>", "is no JSON"), (b"nope", "nope"),
                (b'{"requestId":1,', "is no JSON"), (b"5", "no answer: 5"), (b'"text"', 'no answer: "text"'), (b"null", "null"),
                (b"{}", "no answer: {}"), (b"[]", "no answer: []"), (b"[1]", "no answer: [1]"),
                (b'{"status":"ok"}', '{"status":"ok"}'), (b'{"response":1}', "no answer"),
                (b'{"requestId":99,"response":1}', "99"), (b'{"requestId":"1","response":1}', "no answer"),
                (b'{"jsonrpc":"2.0","id":null,"result":1}', "no answer"), (nested, "nest")):
            for transport in TRANSPORTS:
                with self.subTest(transport=transport, answer=answer[:40]), Fake(transport, lambda _: answer) as fake:
                    self.assertNoAnswer(fake, shown)

    def assertNoAnswer(self, fake, shown, *arguments):
        code, output, error = fake.call(*arguments)
        self.assertEqual((code, output), (69, ""), error)
        self.assertTrue(error.startswith(f"Error: The server at {fake.url} does not take the call: "), error)
        self.assertIn(shown, error)
        self.assertNotIn("\x1b", error)
        self.assertLess(len(error), 500)

    def test_an_echo_is_no_answer(self):
        for transport in TRANSPORTS:
            for dialect in ((), ("--json-rpc",)):
                with self.subTest(transport=transport, dialect=dialect), Fake(transport, lambda message: message) as fake:
                    self.assertNoAnswer(fake, "no answer", *dialect)

    def test_an_http_response_without_the_answer_is_all_there_will_be(self):
        for body, shown in ((b"", "empty"), (b'{"requestId":1,"progress":1}', "no answer"),
                            (b'{"eventName":"hello"}', "no answer")):
            with self.subTest(body=body), Fake("http", lambda _: body) as fake:
                code, _, error = fake.call()
                self.assertEqual(code, 69, error)
                self.assertIn(shown, error)

    def test_bytes_that_are_no_text_are_no_answer(self):
        for transport in TRANSPORTS:
            with self.subTest(transport=transport), Fake(transport, lambda _: b"\xff\xfe") as fake:
                code, output, error = fake.call()
                self.assertEqual((code, output), (69, ""), error)
                self.assertIn("UTF-8" if transport == "ws" else "is no JSON", error)

    def test_a_binary_message_is_no_answer(self):
        with Fake("ws", lambda _: [frame(BINARY, b"\x00\x01", mask=False)]) as fake:
            self.assertNoAnswer(fake, "binary")

    def test_a_notification_that_the_server_does_not_take(self):
        with Fake("http", lambda _: b"<html>") as fake:
            self.assertNoAnswer(fake, "<html>", "--notify")
        with Fake("http", lambda _: b"") as fake:
            self.assertEqual(fake.call("--notify"), (0, "", ""))

    def test_what_may_come_before_the_answer(self):
        def answer(_):
            return [frame(TEXT, text, mask=False) for text in (
                b'{"eventName":"news"}', b'{"requestId":1,"progress":[2]}', b'{"requestId":1,"response":3}')]
        with Fake("ws", answer) as fake:
            self.assertEqual(fake.call(), (0, "3\n", "progress [2]\n"))

    def test_a_request_that_the_server_cannot_read_is_answered_without_an_id(self):
        for transport in TRANSPORTS:
            for number in (b'"id":null,', b""):
                failure = b'{"jsonrpc":"2.0",' + number + b'"error":{"code":-32700,"message":"Parse error"}}'
                with self.subTest(transport=transport, number=number), Fake(transport, lambda _: failure) as fake:
                    code, output, error = fake.call()
                    self.assertEqual((code, output), (1, ""), error)
                    self.assertIn("code: -32700", error)

    def test_an_answer_that_cannot_be_printed_is_no_success(self):
        answer = b'{"requestId":1,"response":3}'
        failure = b'{"requestId":1,"error":{"code":7,"message":"x"}}'

        def ends(where, *arguments):
            done = subprocess.run(["sh", "-c", f'exec "$0" "$@" {where}', EXECUTABLE, *arguments], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=30)
            self.assertEqual(done.stdout, "")
            return done.returncode, done.stderr
        places = [(">&-", "Bad file descriptor")]
        if os.path.exists("/dev/full"):
            places.append((">/dev/full", "No space left on device"))
        for where, reason in places:
            lost = (74, f"Error: Cannot write to standard output: {reason}.\n")
            for transport in TRANSPORTS:
                with self.subTest(where=where, transport=transport):
                    with Fake(transport, lambda _: answer) as fake:
                        self.assertEqual(ends(where, "call", "x", "--url", fake.url), lost)
                    with Fake(transport, lambda _: failure) as fake:
                        self.assertEqual(ends(where, "call", "x", "--json", "--url", fake.url), lost)
                    # Where there is nothing to print, nothing is lost.
                    with Fake(transport, lambda _: failure) as fake:
                        self.assertEqual(ends(where, "call", "x", "--url", fake.url)[0], 1)
            for arguments in (("--help",), ("call", "--help"), ("--version",), ("serve", "--port", "0")):
                with self.subTest(where=where, arguments=arguments):
                    self.assertEqual(ends(where, *arguments), lost)
        with Fake("ws", lambda _: answer) as fake:
            self.assertEqual(ends(">/dev/null 2>&- <&-", "call", "x", "--url", fake.url), (0, ""))
        code, error = ends("<&-", "call", "x", "-")
        self.assertEqual((code, error), (66, "Error: Cannot read standard input: Bad file descriptor.\n"))

    def test_a_peer_that_does_not_say_goodbye_is_not_waited_for(self):
        def ends_soon():
            answered = []

            def answer(_):
                answered.append(time.monotonic())
                return b'{"requestId":1,"response":3}'
            with Fake("ws", answer) as fake:
                self.assertEqual(fake.call(), (0, "3\n", ""))
            return time.monotonic() - answered[0] < 0.9
        # However busy the machine is, once of some times it is quick.
        self.assertTrue(any(ends_soon() for _ in range(10)))
