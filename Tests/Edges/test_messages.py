"""Messages of every kind over every transport: what is answered, in which form, and what is not (PROTOCOL.md, D and L)."""

import json
import os
import stat
import socket
import struct
import tempfile

from raw import BINARY, ECHO, ECHOED, HTTP, TEXT, EdgeTestCase, Serve, call, event, frame

PROBE = b'{"requestId":"probe","eventName":"conformance.echo"}'
PROBED = b'{"requestId":"probe","response":{}}'

# Answered to the letter; None: not answered.
EXACT = [
    ('{"requestId":"a","eventName":"conformance.echo"}', '{"requestId":"a","response":{}}'),
    ('{"eventName":"conformance.echo"}', None),
    ('{"requestId":1,"requestId":2,"eventName":"conformance.echo"}', '{"requestId":2,"response":{}}'),
    ('{"requestId":"","eventName":"conformance.echo"}', '{"requestId":"","response":{}}'),
    ('{"z":1,"requestId":"\\u0041","a":[1.0,1e2],"eventName":"conformance.echo"}',
     '{"requestId":"A","response":{"z":1,"a":[1.0,1e2]}}'),
    ('{"requestId":1,"response":1}', None),
    ('{"requestId":{},"progress":1}', None),
    ('{"result":[]}', None),
    ('{"error":"malformed"}', None),
    ('{"jsonrpc":"1.0","id":{},"result":1}', None),
    ('[{"jsonrpc":"2.0","id":1,"result":5}]', None),
    ('{"jsonrpc":"2.0","method":"sum","params":[1]}', None),
    ('{"jsonrpc":"2.0","id":null,"method":"sum","params":[1]}', '{"jsonrpc":"2.0","result":1,"id":null}'),
    ('{"jsonrpc":"2.0","id":1,"method":"$/cancelRequest","params":{"id":5}}', '{"jsonrpc":"2.0","result":null,"id":1}'),
    ('{"eventName":"$/cancelRequest","id":5}', None),
    ('{"eventName":"$/nobody"}', None),
    ('{"jsonrpc":"2.0","method":"$/nobody"}', None),
    ('{"jsonrpc":"2.0","method":"nobody"}', None),
]

# Answered with a failure: its code, the member that holds the id, the id.
FAILURES = [
    *[(text, -32700, "id", None) for text in (
        "\ufeff{}", "{} {}", "nul", "'a'", '{"a":1 "b":2}', "[01]", "[+1]", "[.5]", "[1.]", "[NaN]", '{"a"', '"a\tb"',
        "[1]]", "{'a':1}", '{"a":1,}', "[,]", '"\\x"', "/* */ {}", "[" * 600 + "]" * 600, "\0", "{")],
    ("{}", -32600, "id", None), ("[]", -32600, "id", None), ("1", -32600, "id", None), ("null", -32600, "id", None),
    ('{"requestId":"a"}', -32600, "requestId", "a"),
    ('{"requestId":"a","eventName":5}', -32600, "requestId", "a"),
    ('{"requestId":"a","eventName":null}', -32600, "requestId", "a"),
    *[('{"requestId":%s,"eventName":"conformance.echo"}' % kind, -32600, "id", None) for kind in ("null", "{}", "[1]", "true")],
    *[('{"jsonrpc":"2.0","id":%s,"method":"sum"}' % kind, -32600, "id", None) for kind in ("{}", "[1]", "true")],
    ('{"jsonrpc":"2.0","id":1}', -32600, "id", 1), ('{"jsonrpc":"2.0","id":1,"method":5}', -32600, "id", 1),
    ('{"jsonrpc":"2.0","id":7,"eventName":"conformance.echo"}', -32600, "id", 7),
    *[('{"jsonrpc":"2.0","id":1,"method":"sum","params":%s}' % kind, -32600, "id", 1) for kind in ("5", '"a"', "true")],
    *[('{"jsonrpc":%s,"id":1,"method":"sum"}' % kind, -32600, "id", 1) for kind in ('"1.0"', "2.0", "null", "[]")],
    ('{"jsonrpc":"2.0","id":1,"method":"$/nobody"}', -32601, "id", 1),
    ('{"requestId":"a","eventName":"$/nobody"}', -32601, "requestId", "a"),
    ('{"requestId":"a","eventName":""}', -32601, "requestId", "a"),
    ('{"requestId":"a","eventName":"conformance.forget"}', -32003, "requestId", "a"),
    ('{"requestId":"a","eventName":"conformance.throw","text":"it\'s\\n\\"broken\\""}', -32000, "requestId", "a"),
    ('{"requestId":"a","eventName":"conformance.unencodable"}', -32603, "requestId", "a"),
    ('{"requestId":"a","eventName":"conformance.fail","code":-32601,"message":"m"}', -32000, "requestId", "a"),
    ('{"requestId":"a","eventName":"conformance.fail","code":7,"message":"m"}', 7, "requestId", "a"),
    ('{"requestId":"a","eventName":"conformance.typed","id":"1"}', -32602, "requestId", "a"),
]


class Messages(EdgeTestCase):
    def over_websocket(self, text):
        ws = self.ws()
        ws.socket.sendall(frame(TEXT, text) + frame(TEXT, PROBE))
        return self.until_probe(lambda: ws.next()[1])

    def over_lines(self, text):
        connection = self.lines_socket()
        connection.sendall(text + b"\n" + PROBE + b"\n")
        reader = connection.makefile("rb")
        return self.until_probe(lambda: reader.readline().rstrip(b"\n"))

    def over_http(self, text):
        status, _, body = self.ask(call(text))
        self.assertEqual(status, 200)
        return [body] if body else []

    @staticmethod
    def until_probe(take):
        """The answers to what came before the probe; one that was forgotten may come after it."""
        answers = []
        while (answer := take()) != PROBED:
            answers.append(answer)
        return answers

    def transports(self):
        return {"WebSocket": self.over_websocket, "lines": self.over_lines, "HTTP": self.over_http}.items()

    def test_what_is_answered_to_the_letter_and_what_is_not(self):
        for name, exchange in self.transports():
            for text, expected in EXACT:
                with self.subTest(transport=name, text=text):
                    self.assertEqual([a.decode() for a in exchange(text.encode())], [expected] if expected else [])

    def test_failures_have_the_right_code_form_and_id(self):
        for name, exchange in self.transports():
            for text, code, member, number in FAILURES:
                with self.subTest(transport=name, text=text[:80]):
                    answers = exchange(text.encode())
                    self.assertEqual(len(answers), 1)
                    answer = json.loads(answers[0])
                    self.assertEqual((answer["error"]["code"], answer[member]), (code, number))
                    self.assertEqual("jsonrpc" in answer, member == "id")

    def test_nothing_and_what_is_no_utf_8(self):
        for name, exchange in self.transports():
            if name != "lines":
                self.assertEqual(json.loads(exchange(b"")[0])["error"]["code"], -32700)
            if name != "WebSocket":
                for bad in (b'{"a":"\xff"}', b'"\xed\xa0\x80"', b'"\xc0\xaf"', b'"\xf4\x90\x80\x80"', b'"\xe2\x82"'):
                    self.assertEqual(json.loads(exchange(bad)[0])["error"]["code"], -32700, bad)

    def test_framing_that_ends_a_websocket(self):
        for code, data in ((1003, frame(BINARY, b"{}")), (1007, frame(TEXT, b"\xff")), (1002, frame(3, b"")),
                           (1002, frame(11, b"")), (1002, frame(0, b"x")), (1002, frame(BINARY, b"", rsv=1)),
                           (1007, frame(TEXT, b"\xe2\x82", fin=False) + frame(0, b"(")),
                           (1002, frame(9, b"x" * 126)), (1002, b"\x81\xfe\x00\x05abcd" + b"x" * 5),
                           (1000, frame(8, struct.pack("!H", 1000) + b"bye")), (4000, frame(8, struct.pack("!H", 4000)))):
            with self.subTest(data=data[:16]):
                ws = self.ws()
                ws.socket.sendall(data)
                self.assertEqual(ws.close_code(), code)

    def test_the_subprotocol_is_chosen_if_offered(self):
        self.assertIn(b"\r\nSec-WebSocket-Protocol: bridgehead.1", self.ws("Sec-WebSocket-Protocol: a, bridgehead.1").head)
        for fields in ((), ("Sec-WebSocket-Protocol: bridgehead.2",)):
            ws = self.ws(*fields)
            self.assertNotIn(b"sec-websocket-protocol", ws.head.lower())
            self.assertEchoes(ws)

    def test_ids_are_compared_by_kind_and_value(self):
        ws = self.ws()
        for text in (b'1', b'"1"', b'1.0', b'1'):
            ws.socket.sendall(frame(TEXT, b'{"requestId":%s,"eventName":"conformance.wait","ms":60000}' % text))
        for text in (b'1.0', b'1'):
            answer = ws.next()[1]
            self.assertTrue(answer.startswith(b'{"requestId":%s,"error":{"code":-32600' % text), answer)
            self.assertTrue(json.loads(answer)["error"]["data"]["duplicate"])
        for cancel, text in ((b'"1"', b'"1"'), (b'1e0', b'1')):
            ws.socket.sendall(frame(TEXT, b'{"eventName":"$/cancelRequest","id":%s}' % cancel))
            answer = ws.next()[1]
            self.assertTrue(answer.startswith(b'{"requestId":%s,"error":{"code":-32800' % text), answer)
        # Settled: the id is free again, and a cancel of it finds nothing.
        ws.socket.sendall(frame(TEXT, b'{"eventName":"$/cancelRequest","id":1}') + frame(TEXT, ECHO))
        self.assertEqual(ws.next()[1], ECHOED)

    def test_progress_comes_before_the_answer(self):
        for dialect in ("events", "JSON-RPC"):
            ws = self.ws()
            request = (event(1, "conformance.progress", count=3) if dialect == "events" else
                       b'{"jsonrpc":"2.0","id":1,"method":"conformance.progress","params":{"count":3}}')
            ws.socket.sendall(frame(TEXT, request))
            got = [json.loads(ws.next()[1]) for _ in range(4)]
            if dialect == "events":
                self.assertEqual([m.get("progress") for m in got], [1, 2, 3, None])
                self.assertEqual(got[3]["response"], {"count": 3})
            else:
                self.assertEqual([m.get("params", {}).get("value") for m in got], [1, 2, 3, None])
                self.assertEqual(got[3]["result"], {"count": 3})
        self.assertEqual(self.rpc(event(1, "conformance.progress", count=3))["response"], {"count": 3})

    def test_http_content_types(self):
        for kind, fields, status in (
                ("application/json", (), 200), ("Application/JSON; charset=utf-8", (), 200),
                ("application/json-rpc", (), 200), ("application/jsonrequest", (), 200), (None, (), 200),
                (None, ("Origin: http://localhost:1",), 415), ("text/plain", (), 415),
                ("application/x-www-form-urlencoded", (), 415), ("multipart/form-data; boundary=x", (), 415),
                ("application/jsonp", (), 415), ("text/plain, application/json", (), 415)):
            with self.subTest(kind=kind, fields=fields):
                self.assertEqual(self.ask(call(ECHO, *fields, kind=kind))[0], status)

    def test_http_sessions(self):
        status, head, body = self.ask(call(b'{"eventName":"conformance.counter"}'))
        self.assertEqual((status, body), (200, b""))
        self.assertIn("content-length: 0", head)
        self.assertEqual(self.rpc(event(1, "$/hello", protocol=1))["error"]["code"], -32600)
        self.assertNoPage(self.rpc(event(1, "conformance.callPage", event="x")))
        for _ in range(2):
            self.assertEqual(self.rpc(event(1, "conformance.counter"))["response"], {"count": 1})
        # Pipelined answers keep their order, whichever is ready first.
        with HTTP(self.server.port) as connection:
            connection.socket.sendall(call(event(1, "conformance.wait", ms=50)) + call(event(2)))
            self.assertEqual([json.loads(connection.next()[2])["requestId"] for _ in range(2)], [1, 2])

    def test_lines_end_of_input_is_a_half_close(self):
        answers = self.lines(event(1, "conformance.wait", ms=50) + b"\n" + event(2))
        self.assertEqual([json.loads(line)["requestId"] for line in answers.splitlines()], [2, 1])

    def test_the_unix_socket_is_the_owners_and_works_like_the_port(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bridge.sock")
            server = Serve("--unix", path)
            try:
                self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.settimeout(20)
                    connection.connect(path)
                    connection.sendall(ECHO + b"\n")
                    self.assertEqual(connection.makefile("rb").readline(), ECHOED + b"\n")
            finally:
                self.assertEqual(server.stop(), 0)
            self.assertFalse(os.path.exists(path))

    def test_hello(self):
        ws = self.ws()
        ws.socket.sendall(frame(TEXT, event(1, "$/hello", protocol=2)))
        answer = json.loads(ws.next()[1])["error"]
        self.assertEqual((answer["code"], answer["data"]["supported"]), (-32600, [1]))
        ws.socket.sendall(frame(TEXT, event(2, "conformance.callPage", event="x")))
        self.assertNoPage(json.loads(ws.next()[1]))
        ws.socket.sendall(frame(TEXT, event(3, "$/hello", protocol=1, page={"url": "http://localhost/", "documentId": "d"})))
        result = json.loads(ws.next()[1])["response"]
        self.assertEqual(result["protocol"], 1)
        self.assertLessEqual({"server", "session", "events", "messageHandlers", "limits"}, result.keys())
        ws.socket.sendall(frame(TEXT, event(4, "conformance.callPage", event="ask", payload={"q": 1})))
        asked = json.loads(ws.next()[1])
        self.assertEqual((asked["eventName"], asked["q"]), ("ask", 1))
        ws.socket.sendall(frame(TEXT, json.dumps({"requestId": asked["requestId"], "response": [None]}).encode()))
        self.assertEqual(json.loads(ws.next()[1]), {"requestId": 4, "response": [None]})

    def assertNoPage(self, answer):
        self.assertEqual((answer["error"]["code"], answer["error"]["message"]), (-32006, "Page not connected"))
