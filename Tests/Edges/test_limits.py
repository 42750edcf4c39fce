"""Every limit from the command line, at −1, 0, +1 (PROTOCOL.md, section 8); beyond it the server goes on."""

import json
import os
import tempfile

from raw import ECHO, ECHOED, HTTP, PING, TEXT, EdgeTestCase, Serve, call, event, frame


def padded(size, **payload):
    """An echo request of `size` bytes, whose answer is shorter."""
    empty = len(event(1, "conformance.counter", a="", **payload))
    return event(1, "conformance.counter", a="x" * (size - empty), **payload)


class Sizes(EdgeTestCase):
    arguments = ("--limit", "message=2000", "--limit", "nesting=6", "--limit", "batch=3", "--limit", "inFlight=4",
                 "--limit", "requestLine=100", "--limit", "headerBlock=400", "--limit", "headerFields=8",
                 "--limit", "emptyFragments=5")

    def test_message_incoming(self):
        for size, fits in ((1999, True), (2000, True), (2001, False)):
            with self.subTest(size=size):
                text = padded(size)
                self.assertEqual(len(text), size)
                ws = self.ws()
                ws.socket.sendall(frame(TEXT, text))
                self.assertEqual(ws.next()[0] if fits else ws.close_code(), TEXT if fits else 1009)
                half = self.ws()
                half.socket.sendall(frame(TEXT, text[:1000], fin=False) + frame(0, text[1000:]))
                self.assertEqual(half.next()[0] if fits else half.close_code(), TEXT if fits else 1009)
                self.assertEqual(self.ask(call(text))[0], 200 if fits else 413)
                for end in (b"\n", b""):
                    answer = json.loads(self.lines(text + end))
                    if fits:
                        self.assertEqual(answer["response"], {"count": 1})
                    else:
                        self.assertEqual((answer["error"]["code"], answer["id"]), (-32600, None))
                if not fits:
                    self.assertEqual(self.lines(text + b"\n" + ECHO + b"\n").count(b"\n"), 1)

    def test_message_outgoing(self):
        around = len(b'{"requestId":1,"response":""}')
        answers = {f"size{size}": {"response": "x" * (size - around)} for size in (1999, 2000, 2001)}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "answers.json")
            with open(path, "w") as file:
                json.dump(answers, file)
            server = Serve("--limit", "message=2000", "--answers", path)
            try:
                for size in (1999, 2000, 2001):
                    with HTTP(server.port, call(event(1, f"size{size}"))) as connection:
                        body = connection.next()[2]
                    if size <= 2000:
                        self.assertEqual(len(body), size)
                    else:
                        self.assertEqual(json.loads(body)["error"]["code"], -32603)
                # In a batch the answers that still fit are kept, and the array is within the limit.
                call_one = {"jsonrpc": "2.0", "id": 1, "method": "size1999"}
                batch = json.dumps([{**call_one, "id": n} for n in range(3)] + [{**call_one, "id": 3, "method": "sum", "params": [4]}])
                with HTTP(server.port, call(batch.encode())) as connection:
                    body = connection.next()[2]
                self.assertLessEqual(len(body), 2000)
                answers = json.loads(body)
                self.assertEqual(sorted(a["id"] for a in answers), [0, 1, 2, 3])
                self.assertTrue(all(a["error"]["code"] == -32603 for a in answers if a["id"] != 3))
            finally:
                self.assertEqual(server.stop(), 0)

    def test_nesting(self):
        for depth, fits in ((5, True), (6, True), (7, False), (900, False)):
            text = b'{"requestId":1,"eventName":"conformance.echo","a":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"
            answer = self.rpc(text)
            self.assertEqual("response" in answer, fits, depth)
            if not fits:
                self.assertEqual((answer["error"]["code"], answer["id"]), (-32700, None))

    def test_batch(self):
        for count, fits in ((1, True), (2, True), (3, True), (4, False), (0, False)):
            answer = self.rpc(json.dumps([{"jsonrpc": "2.0", "id": n, "method": "sum", "params": [n]} for n in range(count)]))
            if fits:
                self.assertCountEqual([(a["id"], a["result"]) for a in answer], [(n, n) for n in range(count)])
            else:
                self.assertEqual((answer["error"]["code"], answer["id"]), (-32600, None))

    def test_in_flight(self):
        wait = {"name": "conformance.wait", "ms": 60000}
        for send, take in self.streams():
            for n in range(4):
                send(event(n, **wait))
            send(b'{"eventName":"conformance.wait","ms":60000}')  # A notification is not counted.
            send(event(4, **wait))
            answer = json.loads(take())
            self.assertEqual((answer["requestId"], answer["error"]["code"]), (4, -32008))
            send(b'{"eventName":"$/cancelRequest","id":0}')
            self.assertEqual(json.loads(take())["error"]["code"], -32800)
            send(event(5))
            self.assertEqual(json.loads(take()), {"requestId": 5, "response": {}})

    def streams(self):
        ws = self.ws()
        yield lambda text: ws.socket.sendall(frame(TEXT, text)), lambda: ws.next()[1]
        connection = self.lines_socket()
        reader = connection.makefile("rb")
        yield lambda text: connection.sendall(text + b"\n"), reader.readline

    def test_request_line(self):
        around = len("GET /_bridge/health? HTTP/1.1")
        for size, status in ((99, 200), (100, 200), (101, 414)):
            target = "/_bridge/health?" + "x" * (size - around)
            self.assertEqual(self.ask(call(b"", method="GET", target=target, kind=None))[0], status, size)
        # Refused at the limit, not at the end of the line.
        with HTTP(self.server.port, b"GET /" + b"x" * 5000) as connection:
            self.assertEqual(connection.next()[0], 414)

    def test_header_block_and_fields(self):
        around = len("Host: localhost\r\nA: \r\n")
        for size, status in ((399, 200), (400, 200), (401, 431)):
            data = call(b"", "A: " + "x" * (size - around), method="GET", target="/_bridge/health", kind=None)
            self.assertEqual(self.ask(data)[0], status, size)
        for count, status in ((7, 200), (8, 200), (9, 431)):
            data = call(b"", *["A: b"] * (count - 1), method="GET", target="/_bridge/health", kind=None)
            self.assertEqual(self.ask(data)[0], status, count)
        with HTTP(self.server.port, b"GET / HTTP/1.1\r\nHost: localhost\r\nA: " + b"x" * 5000) as connection:
            self.assertEqual(connection.next()[0], 431)

    def test_empty_fragments(self):
        for count, fits in ((4, True), (5, True), (6, False)):
            ws = self.ws()
            ws.socket.sendall(frame(TEXT, ECHO[:5], fin=False) + frame(0, b"", fin=False) * count + frame(0, ECHO[5:]))
            if fits:
                self.assertEqual(ws.next(), (TEXT, ECHOED))
            else:
                self.assertEqual(ws.close_code(), 1008)

    def test_a_limit_that_is_none(self):
        for assignment in ("messages=1", "message", "message=0", "message=-1", "message=1.5", "nesting=99999999999999999999"):
            with self.assertRaises(RuntimeError, msg=assignment):
                Serve("--limit", assignment)


class Times(EdgeTestCase):
    arguments = ("--limit", "headTimeout=0.2", "--limit", "bodyTimeout=0.2", "--limit", "idleTimeout=0.2",
                 "--limit", "pingInterval=0.2")

    def test_a_head_that_does_not_come(self):
        for data in (b"G", b"GET / HTTP/1.1\r\nHost: local"):
            with HTTP(self.server.port, data) as connection:
                self.assertEqual(connection.next()[0], 408)
                self.assertTrue(connection.ended())

    def test_a_body_that_does_not_come(self):
        with HTTP(self.server.port, call(ECHO)[:-1]) as connection:
            self.assertEqual(connection.next()[0], 408)
            self.assertTrue(connection.ended())

    def test_an_idle_connection_is_closed_without_a_word(self):
        with HTTP(self.server.port, call(ECHO)) as connection:
            self.assertEqual(connection.next()[2], ECHOED)
            self.assertTrue(connection.ended())

    def test_pings(self):
        ws = self.ws()
        for _ in range(4):
            opcode, payload = ws.next(pings=True)
            self.assertEqual(opcode, PING)
            ws.socket.sendall(frame(10, payload))
        self.assertEchoes(ws)
        silent = self.ws()
        pings = 0
        try:
            while True:
                if silent.next(pings=True)[0] == PING:
                    pings += 1
        except (EOFError, ConnectionResetError):
            pass
        self.assertEqual(pings, 2)


class Connections(EdgeTestCase):
    arguments = ("--limit", "connections=3")

    def tearDown(self):
        """Places are free again once the server has noticed that who had them is gone."""
        while self.lines(ECHO) != ECHOED + b"\n":
            pass

    def test_one_too_many_gets_503(self):
        places = [HTTP(self.server.port, call(ECHO)) for _ in range(3)]
        for place in places:
            self.assertEqual(place.next()[2], ECHOED)
        with HTTP(self.server.port, call(ECHO)) as more:
            self.assertEqual(more.next()[0], 503)
            self.assertTrue(more.ended())
        for place in places:
            place.socket.sendall(call(ECHO))
            self.assertEqual(place.next()[2], ECHOED)
        places.pop().socket.close()
        while self.ask(call(ECHO))[0] == 503:
            pass
        for place in places:
            place.socket.close()
