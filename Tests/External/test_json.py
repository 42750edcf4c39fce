"""Nicolas Seriot's JSONTestSuite, as the source of the package `pyjson5` holds it, and JSON.org's JSON_checker, as
`simplejson` holds it: over HTTP, WebSocket and lines."""

import collections
import json
import urllib.request

from simplejson.tests import test_fail, test_pass1, test_pass2, test_pass3

from sources import ExternalTestCase, folder

from raw import CLOSE, TEXT, WebSocket, frame

FILES = {file.name: file.read_bytes() for file in sorted(folder("pyjson5-*/third-party/JSONTestSuite/test_parsing").iterdir())}
CHECKER_FAILS = {f"fail{n}.json": text.encode() for n, text in enumerate(test_fail.JSONDOCS, 1)}
CHECKER_PASSES = {f"pass{n}.json": module.JSON.encode()
                  for n, module in enumerate([test_pass1, test_pass2, test_pass3], 1)}
# JSON by today's RFC 8259: a string by itself, and twenty arrays in each other.
CHECKER_PASSES |= {name: CHECKER_FAILS.pop(name) for name in (f"fail{n}.json" for n in test_fail.SKIPS)}


def kind(letter):
    return {name: data for name, data in FILES.items() if name.startswith(letter + "_")}


ACCEPTED, REFUSED, EITHER = kind("y") | CHECKER_PASSES, kind("n") | CHECKER_FAILS, kind("i")
PARSE_ERROR = b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"'
AFTER = b'{"requestId":"after","eventName":"conformance.echo"}'
ANSWER_AFTER = b'{"requestId":"after","response":{}}'


def is_utf8(data):
    try:
        data.decode()
        return True
    except UnicodeDecodeError:
        return False


def fits_a_line(data):
    return b"\n" not in data and data.strip(b" \t\r") != b""


def wrapped(data):
    """As a member of an event whose payload comes back."""
    return b'{"requestId":1,"eventName":"conformance.echo","value":' + data + b"}"


class JSONFiles(ExternalTestCase):
    def http(self, data):
        request = urllib.request.Request(self.server.http, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=20) as response:
            self.assertEqual(response.status, 200)
            return response.read()

    def over_http(self, data):
        answer = self.http(data)
        self.assertEqual(self.http(AFTER), ANSWER_AFTER)
        return answer

    def over_lines(self, data):
        answers = self.lines(data + b"\n" + AFTER + b"\n").splitlines()
        self.assertEqual(answers.pop(), ANSWER_AFTER)
        return b"".join(answers)

    def over_websocket(self, data):
        """The answer on a connection that serves on after it, or the code that it closes with."""
        connection = WebSocket(self.server.port)
        with connection.socket:
            connection.socket.sendall(frame(TEXT, data) + frame(TEXT, AFTER))
            answers = []
            while True:
                opcode, payload = connection.next()
                if opcode == CLOSE:
                    return int.from_bytes(payload[:2], "big")
                if payload == ANSWER_AFTER:
                    return b"".join(answers)
                answers.append(payload)

    def ways(self, data):
        yield "http", self.over_http
        if is_utf8(data):
            yield "websocket", self.over_websocket
        if fits_a_line(data):
            yield "lines", self.over_lines

    def each(self, files, check):
        """Checks every file on every way that its bytes can go."""
        counts = collections.Counter()
        for name, data in files.items():
            for way, exchange in self.ways(data):
                with self.subTest(name, way=way):
                    check(data, exchange)
                counts[way] += 1
        self.report(f"{self._testMethodName}: {len(files)} files {dict(counts)}")

    def test_the_collections_are_whole(self):
        self.assertEqual((len(kind("y")), len(kind("n")), len(kind("i"))), (95, 188, 35))
        self.assertEqual((len(CHECKER_PASSES), len(CHECKER_FAILS)), (5, 56))

    def test_accepted(self):
        def check(data, exchange):
            self.assertNotIn(PARSE_ERROR, exchange(data))
            answer = json.loads(exchange(wrapped(data)))
            self.assertEqual(answer, {"requestId": 1, "response": {"value": json.loads(data)}})
        self.each(ACCEPTED, check)

    def test_refused(self):
        def check(data, exchange):
            for sent in (data, wrapped(data)):
                answer = exchange(sent)
                self.assertTrue(answer.startswith(PARSE_ERROR), answer)
                self.assertTrue(answer.endswith(b'"id":null}'), answer)
        self.each(REFUSED, check)

    def test_bad_utf8_closes_a_websocket_with_1007(self):
        files = {name: data for name, data in (REFUSED | EITHER).items() if not is_utf8(data)}
        for name, data in files.items():
            with self.subTest(name):
                self.assertEqual(self.over_websocket(data), 1007)
                self.assertEqual(self.http(AFTER), ANSWER_AFTER)
        self.report(f"{self._testMethodName}: {len(files)} files")

    def test_either_but_answered(self):
        def check(data, exchange):
            # An array is a batch, whose elements here are no requests.
            answers = json.loads(exchange(data))
            for answer in answers if isinstance(answers, list) else [answers]:
                self.assertIn(answer["error"]["code"], (-32700, -32600))
            answer = json.loads(exchange(wrapped(data)))
            self.assertTrue(answer.get("requestId") == 1 or answer["error"]["code"] == -32700, answer)
        self.each(EITHER, check)
