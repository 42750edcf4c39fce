"""Messages made to cost time or memory: each is answered, others are served meanwhile, memory stays in proportion.

Sizes are such that work quadratic in them would take minutes, and repeated memory gigabytes."""

import json
import os
import tempfile

from raw import ECHO, EdgeTestCase, Serve, call, event

# Of two classes, in the wrong order: to be compared as a String each has to be sorted among all the others.
MARKS = "\u0301\u0323" * 100_000


def text(value):
    return json.dumps(value, ensure_ascii=False).encode()


class HostileMessages(EdgeTestCase):
    arguments = ("--quiet", "--limit", "message=2097152")

    def answer(self, message, times=64):
        """The answer over lines, for which no more memory is taken than so many times the message, and a little."""
        with self.growth_below(times * len(message) / (1 << 20) + 8), self.others_served():
            return json.loads(self.lines(message + b"\n"))

    def code(self, message):
        return self.answer(message)["error"]["code"]

    # Strings that are one letter with a hundred thousand marks

    def test_marks_in_names_of_events(self):
        for start in ("", "$/", "$/hello", "$/page.state"):
            self.assertEqual(self.code(text({"requestId": 1, "eventName": start + "h" + MARKS + "b"})), -32601)
            self.assertEqual(self.lines(text({"eventName": start + "h" + MARKS + "b"}) + b"\n"), b"")

    def test_marks_in_names_of_handlers(self):
        message = {"requestId": 1, "eventName": "$/postMessage", "handler": "bridge" + MARKS + "b", "body": 1}
        self.assertEqual(self.code(text(message)), -32601)

    def test_marks_in_tags(self):
        body = {"eventName": "conformance.echo", "x": {"$d" + MARKS + "b": 1}}
        message = {"requestId": 1, "eventName": "$/postMessage", "handler": "bridge", "body": body}
        self.assertEqual(self.code(text(message)), -32602)

    def test_marks_in_ids_and_members(self):
        message = {"requestId": "h" + MARKS, "eventName": "conformance.echo", "m" + MARKS: "v" + MARKS}
        self.assertEqual(self.answer(text(message)), {"requestId": "h" + MARKS, "response": {"m" + MARKS: "v" + MARKS}})
        self.assertEqual(self.code(text({"jsonrpc": "2" + MARKS, "method": "sum", "id": "h" + MARKS})), -32600)
        self.assertEqual(self.code(text({"m" + MARKS: 1})[:-1]), -32700)

    def test_marks_in_a_url(self):
        with self.others_served():
            answers = self.lines(text({"requestId": 1, "eventName": "download", "url": "u/h" + MARKS + "/b"}) + b"\n")
        self.assertEqual(json.loads(answers.splitlines()[-1])["response"], {"path": "/downloads/b"})

    def test_marks_in_header_fields(self):
        """As many as a head can have, in every field that the server compares with something."""
        marks = "h" + "\u0301\u0323" * 8000
        fields = {"Origin": 403, "Sec-Fetch-Site": 200, "Cookie": 200, "If-None-Match": 200, "Expect": 417, "Connection": 200,
                  "Transfer-Encoding": 501, "Content-Type": 200, "Authorization": 200, "Upgrade": 200}
        with self.growth_below(24), self.others_served():
            for field, status in fields.items():
                for _ in range(20):
                    request = call(b"", method="GET", target="/", kind=None)[:-2] + f"{field}: {marks}\r\n\r\n".encode()
                    self.assertEqual(self.ask(request)[0], status, field)

    # Sizes

    def test_nesting_without_an_end(self):
        for piece in (b"[", b'{"a":'):
            self.assertEqual(self.code(piece * (2_000_000 // len(piece))), -32700)

    def test_many_members_and_many_of_one_name(self):
        for name in ("a%d", "a", "\ud800%d"):
            members = b",".join(b'"%s":[1]' % (name.replace("%d", str(n))).encode("ascii", "backslashreplace")
                                for n in range(50_000))
            answer = self.answer(b'{"requestId":1,"eventName":"conformance.echo",' + members + b"}")
            self.assertEqual(len(answer["response"]), 50_000 if "%d" in name else 1)

    def test_many_small_values(self):
        for value in (b"1", b"[]", b"{}", b"[1]", b'{"a":1}', b'""'):
            count = 500_000 // (len(value) + 1)
            answer = self.answer(b'{"requestId":1,"eventName":"conformance.echo","a":[' + b",".join([value] * count) + b"]}")
            self.assertEqual(len(answer["response"]["a"]), count)

    def test_huge_numbers(self):
        for number in (b"1e999999999", b"-1E-999999999", b"9" * 10_000, b"9" * 1_000_000, b"1e" + b"9" * 1_000_000,
                       b"0." + b"0" * 1_000_000 + b"1", b"1" + b"0" * 1_000_000 + b"e-1000000"):
            with self.growth_below(100), self.others_served():
                self.assertEqual(self.lines(b'{"requestId":%s,"eventName":"conformance.echo","n":%s}\n' % (number, number)),
                                 b'{"requestId":%s,"response":{"n":%s}}\n' % (number, number))
                typed = b'{"requestId":1,"eventName":"conformance.typed","id":%s,"price":%s,"tags":[]}\n' % (number, number)
                self.assertEqual(len(json.loads(self.lines(typed))), 2)

    def test_strings_of_escapes(self):
        for escape in (r"\u0041", r"\ud83d\ude00", r"\ud800", r"\\", r"\n"):
            value = (escape * (300_000 // len(escape))).encode()
            answer = self.answer(b'{"requestId":1,"eventName":"conformance.echo","a":"%s"}' % value)
            self.assertEqual(answer["response"]["a"], json.loads(b'"%s"' % value))

    def test_names_as_long_as_a_message(self):
        for message in ({"requestId": 1, "eventName": "n" * 1_000_000},
                        {"requestId": 1, "eventName": "\u0001" * 300_000},
                        {"requestId": 1, "eventName": "$/postMessage", "handler": "n" * 1_000_000, "body": 1}):
            error = self.answer(text(message), 24)["error"]
            self.assertEqual(error["code"], -32601)
            # What is for people is short.
            self.assertLess(len(error["data"]["help"]), 2000)

    def test_repeated_references(self):
        """The same part a thousand times over is not written out a thousand times over."""
        for part in (["x" * 500_000], {"y" * 500_000: 1}, [[["z" * 500_000]]]):
            body = {"eventName": "conformance.echo", "part": part, "more": [{"$ref": 1}] * 1000}
            message = {"requestId": 1, "eventName": "$/postMessage", "handler": "bridge", "body": body}
            self.assertEqual(self.code(text(message)), -32602)

    def test_a_page_that_names_ever_more_of_its_state(self):
        """What is kept of a page is what the protocol names."""
        hello = event(1, "$/hello", protocol=1, client={"name": "c", "version": "1"}, page={"url": "u"})
        with self.growth_below(8), self.others_served():
            states = [text({"eventName": "$/page.state", **{f"{n}-{m}": "x" * 5000 for m in range(48)}}) for n in range(50)]
            self.assertEqual(self.lines(b"\n".join([hello, *states, ECHO]) + b"\n").count(b"\n"), 2)


class ManyEvents(EdgeTestCase):
    """Names that resemble thousands of others."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = os.path.join(cls.folder.name, "answers.json")
        with open(path, "w") as file:
            json.dump({"n" * 240 + f"{n:010}": {"response": None} for n in range(3000)}, file)
        cls.server = Serve("--quiet", "--answers", path)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.folder.cleanup()

    def test_names_near_to_thousands(self):
        with self.growth_below(32), self.others_served():
            for n in range(8):
                answer = self.lines(event(1, "n" * 200 + f"{n:040}" + "n" * 10) + b"\n")
                self.assertEqual(json.loads(answer)["error"]["code"], -32601)
        near = json.loads(self.lines(event(1, "N" * 240 + f"{7:010}") + b"\n"))["error"]["data"]["nearest"]
        self.assertEqual(near[0], "n" * 240 + f"{7:010}")
