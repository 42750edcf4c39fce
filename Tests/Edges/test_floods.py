"""Crowds and floods: limits hold, memory keeps to them, others are served meanwhile and the server rests afterwards."""

import json
import os
import socket
import struct
import tempfile

from raw import CLOSE, ECHO, ECHOED, HTTP, PING, PONG, TEXT, EdgeTestCase, Serve, call, event, frame

ENDLESS = {"name": "conformance.wait", "ms": 10 ** 12}


class Flood(EdgeTestCase):
    """As quiet as can be: nobody reads what the server prints."""

    limits = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Serve("--quiet", *(argument for limit in cls.limits for argument in ("--limit", limit)))

    def crowd(self, count, data=b"", port=None):
        connections = [socket.create_connection(("127.0.0.1", port or self.server.port), timeout=20) for _ in range(count)]
        for connection in connections:
            self.addCleanup(connection.close)
            connection.sendall(data)
        return connections

    def ended(self, connection):
        """All that came until the server ended the connection."""
        received = b""
        try:
            while chunk := connection.recv(65536):
                received += chunk
        except ConnectionResetError:
            pass
        return received


class Slow(Flood):
    limits = ("headTimeout=0.5", "bodyTimeout=0.5", "idleTimeout=0.5", "message=1048576")

    def test_heads_that_do_not_come(self):
        head = b"GET / HTTP/1.1\r\nHost: localhost\r\nA: " + b"x" * 30_000
        with self.growth_below(300 * 64 // 1024 + 16), self.others_served():
            for connection in self.crowd(300, head):
                self.assertTrue(self.ended(connection).startswith(b"HTTP/1.1 408 "))
        self.assertRests()

    def test_bodies_that_do_not_come(self):
        """What was announced takes no memory; what came takes twice its size at most."""
        request = call(b"x" * 1_000_000)
        with self.growth_below(16), self.others_served():
            for connection in self.crowd(200, request[:2000]):
                self.assertTrue(self.ended(connection).startswith(b"HTTP/1.1 408 "))
        with self.growth_below(2 * 20 + 16), self.others_served():
            for connection in self.crowd(20, request[:-1]):
                self.assertTrue(self.ended(connection).startswith(b"HTTP/1.1 408 "))
        self.assertRests()


class Unfinished(Flood):
    limits = ("message=1048576", "pingInterval=3600")

    def test_requests_without_an_end(self):
        chunked = call(b"")[:-2].replace(b"Content-Length: 0", b"Transfer-Encoding: chunked") + b"\r\n400\r\n" + b"x" * 1024 + b"\r\n"
        with self.growth_below(24), self.others_served():
            self.crowd(200, chunked)
            self.crowd(200, b'{"requestId":1,"eventName":"' + b"x" * 1000, self.server.lines_port)
            for n in range(200):
                half = frame(TEXT, b"x" * 1000, length=1_000_000) if n % 2 else frame(TEXT, b"x" * 1000, fin=False)
                self.ws(also=half)
            self.assertEqual(self.sessions(), 401)
        self.assertRests()
        self.doCleanups()
        self.wait_for_sessions(0)

    def test_messages_that_are_nearly_whole(self):
        """As many connections as there are, each holds a message at most, and what grew while it came."""
        with self.growth_below(2 * 40 + 16), self.others_served():
            self.crowd(20, b"x" * 1_000_000, self.server.lines_port)
            for _ in range(20):
                self.ws(also=frame(TEXT, b"x" * 1_000_000, fin=False))
        self.doCleanups()
        self.wait_for_sessions(0)


class Unread(Flood):
    limits = ("unreadOutput=2097152", "slowReader=65536", "pingInterval=3600", "message=2097152")

    def test_lines_that_are_not_read(self):
        """Beyond the limit the connection ends. What handlers report until then waits for the loop."""
        with self.growth_below(2 * 4 + 48), self.others_served():
            self.crowd(2, event(1, "conformance.progress", count=10 ** 8) + b"\n", self.server.lines_port)
            # The client that is served makes the one.
            self.wait_for_sessions(1)
        self.assertRests()

    def test_many_readers_that_read_nothing(self):
        """What each asks for is more than its share: the server stops reading from it."""
        request = frame(TEXT, event(1, a="x" * 30_000)) * 300
        with self.growth_below(30 + 16), self.others_served():
            for _ in range(30):
                connection = self.ws().socket
                connection.setblocking(False)
                try:
                    while request:
                        connection.send(request)
                except BlockingIOError:
                    pass
        self.assertRests()


class Connections(Flood):
    limits = ("connections=50",)

    def tearDown(self):
        """Places are free again once the server has noticed that who had them is gone."""
        while self.lines(ECHO) != ECHOED + b"\n":
            pass

    def test_more_connections_than_are_taken(self):
        with self.growth_below(24), self.others_served():
            places = self.crowd(49, call(ECHO))
            for place in places:
                self.assertEqual(place.recv(65536)[:15], b"HTTP/1.1 200 OK")
            refused = [HTTP(self.server.port, call(ECHO)) for _ in range(500)]
            for one in refused:
                self.assertEqual(one.next()[0], 503)
                self.assertTrue(one.ended())
                one.socket.close()
            for one in self.crowd(500, port=self.server.lines_port):
                self.assertEqual(self.ended(one), b"")
            for place in places:
                place.sendall(call(ECHO))
                self.assertEqual(place.recv(65536)[:15], b"HTTP/1.1 200 OK")
        self.doCleanups()
        while self.ask(call(ECHO))[0] == 503:
            pass
        self.assertRests()


class Frames(Flood):
    limits = ("slowReader=65536", "pingInterval=3600")

    def test_pings(self):
        """Answered in order; of one who reads no pongs no more is read."""
        with self.growth_below(24), self.others_served():
            reader = self.ws()
            for start in range(0, 20_000, 500):
                reader.socket.sendall(b"".join(frame(PING, b"%d" % n) for n in range(start, start + 500)))
                self.assertEqual([reader.next() for _ in range(500)], [(PONG, b"%d" % n) for n in range(start, start + 500)])
            silent = self.ws()
            silent.socket.setblocking(False)
            pings = frame(PING, b"x" * 125) * 1000
            sent = 0
            try:
                while sent < 64 << 20:
                    sent += silent.socket.send(pings)
            except BlockingIOError:
                pass
            self.assertLess(sent, 64 << 20)
        self.assertRests()

    def test_pongs_and_empty_messages(self):
        """None of them is answered, but for what is no JSON."""
        ws = self.ws()
        with self.growth_below(16), self.others_served():
            for _ in range(100):
                ws.socket.sendall(frame(PONG, b"x" * 125) * 500 + frame(TEXT, ECHO))
                self.assertEqual(ws.next(), (TEXT, ECHOED))
                ws.socket.sendall(frame(TEXT) * 100)
                self.assertEqual({json.loads(ws.next()[1])["error"]["code"] for _ in range(100)}, {-32700})
        self.assertRests()


class HalfOpen(Flood):
    limits = ("pingInterval=0.3",)

    def test_peers_that_have_vanished(self):
        """Two pings are not answered: they count as gone, and with them what they had asked for."""
        peers = [self.ws(also=frame(TEXT, event(1, **ENDLESS))) for _ in range(100)]
        self.assertEqual(peers[0].next(pings=True)[0], PING)
        self.wait_for_sessions(0)
        for peer in peers:
            pings, code = peer is peers[0], None
            while code is None:
                opcode, payload = peer.next(pings=True)
                pings += opcode == PING
                code = struct.unpack("!H", payload[:2])[0] if opcode == CLOSE else None
            self.assertEqual((pings, code), (2, 1008))


class InFlight(Flood):
    limits = ("inFlight=64", "message=1048576", "unreadOutput=2097152", "pingInterval=3600")

    def test_requests_that_are_never_settled(self):
        with self.growth_below(10 * 64 * 8 // 1024 + 24), self.others_served():
            sessions = [self.ws() for _ in range(10)]
            for ws in sessions:
                ws.socket.sendall(b"".join(frame(TEXT, event(n, **ENDLESS)) for n in range(80)))
                codes = [json.loads(ws.next()[1]) for _ in range(16)]
                self.assertEqual([(c["requestId"], c["error"]["code"]) for c in codes], [(n, -32008) for n in range(64, 80)])
        self.assertRests()
        for ws in sessions:
            ws.socket.close()
        self.wait_for_sessions(0)

    def test_thousands_of_cancels(self):
        ws = self.ws()
        with self.growth_below(24), self.others_served():
            for start in range(0, 6000, 60):
                numbers = range(start, start + 60)
                ws.socket.sendall(b"".join(frame(TEXT, event(n, **ENDLESS)) for n in numbers))
                ws.socket.sendall(b"".join(frame(TEXT, b'{"eventName":"$/cancelRequest","id":%d}' % n) * 2 for n in numbers))
                answers = [json.loads(ws.next()[1]) for _ in numbers]
                self.assertEqual([(a["requestId"], a["error"]["code"]) for a in answers], [(n, -32800) for n in numbers])
        self.assertRests()

    def test_notifications_that_never_end(self):
        """64 for each request that may be in flight, of all sessions together and after their end; then they are dropped."""
        notification = b'{"eventName":"conformance.wait","ms":1000000000000}\n' * 4000
        with self.growth_below(64 * 64 * 8 // 1024 + 24), self.others_served():
            for _ in range(10):
                self.assertEqual(self.lines(notification + ECHO + b"\n"), ECHOED + b"\n")
        # Those that end at once are not counted.
        counter = b'{"eventName":"conformance.counter"}\n'
        answer = self.lines(counter * 1000 + event(1, "conformance.counter") + b"\n")
        self.assertEqual(json.loads(answer)["response"], {"count": 1001})
        self.assertRests()

    def test_batches_that_wait(self):
        """What is answered and waits for the rest of its batch is bounded, over all batches of a session."""
        ws = self.ws()
        with self.growth_below(24), self.others_served():
            for n in range(60):
                batch = [{"jsonrpc": "2.0", "id": f"w{n}", "method": "conformance.wait", "params": {"ms": 10 ** 12}},
                         {"jsonrpc": "2.0", "id": f"e{n}", "method": "conformance.echo", "params": ["x" * 900_000]}]
                ws.socket.sendall(frame(TEXT, json.dumps(batch).encode()))
            ws.socket.sendall(frame(TEXT, ECHO))
            self.assertEqual(ws.next(), (TEXT, ECHOED))
        kept = 0
        for n in range(60):
            ws.socket.sendall(frame(TEXT, b'{"eventName":"$/cancelRequest","id":"w%d"}' % n))
            wait, echo = json.loads(ws.next()[1])
            self.assertEqual((wait["id"], wait["error"]["code"], echo["id"]), (f"w{n}", -32800, f"e{n}"))
            kept += "result" in echo
            self.assertTrue("result" in echo or echo["error"]["code"] == -32603)
        self.assertEqual(kept, 2)

    def test_batches_of_the_largest_size(self):
        with self.growth_below(48), self.others_served():
            for _ in range(5):
                batch = [{"jsonrpc": "2.0", "id": n, "method": "nobody", "params": [n]} for n in range(1000)]
                answers = json.loads(self.lines(json.dumps(batch).encode() + b"\n"))
                self.assertEqual([(a["id"], a["error"]["code"]) for a in answers], [(n, -32601) for n in range(1000)])


class Heads(Flood):
    limits = ("headTimeout=60",)

    def test_heads_of_the_largest_size(self):
        """Paths, hosts, origins and as many fields as there may be: refused or served, and not kept."""
        with self.growth_below(24), self.others_served():
            for n in range(100):
                origin = f"Origin: https://{n}.{'o' * 30_000}.test"
                self.assertEqual(self.ask(call(b"", origin, method="GET", target="/_bridge/rpc", kind=None))[0], 403)
            for n in range(10):
                self.assertEqual(self.ask(call(b"", method="GET", host="h" * 30_000, kind=None))[0], 403)
                self.assertEqual(self.ask(call(b"", method="GET", target="/" + "%CC%81" * 1300, kind=None))[0], 404)
                self.assertEqual(self.ask(call(b"", method="GET", target="/" + "p/" * 4000, kind=None))[0], 404)
                self.assertEqual(self.ask(call(b"", *[f"{'f' * 300}{m}: v" for m in range(99)], method="GET", target="/",
                                               kind=None))[0], 200)
                self.assertEqual(self.ask(call(b"", *["f: v"] * 100, method="GET", target="/", kind=None))[0], 431)


class FewDescriptors(EdgeTestCase):
    """Accepting goes on when descriptors are free again, on the ports for lines too."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "s")
        cls.server = Serve("--quiet", "--unix", cls.path, files=64)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.folder.cleanup()

    def connect(self, family):
        connection = socket.socket(family)
        self.addCleanup(connection.close)
        connection.settimeout(20)
        connection.connect(self.path if family == socket.AF_UNIX else ("127.0.0.1", self.server.lines_port))
        connection.sendall(ECHO + b"\n")
        return connection

    def test_tcp(self):
        self.exhaust(socket.AF_INET)

    def test_unix(self):
        self.exhaust(socket.AF_UNIX)

    def exhaust(self, family):
        ws = self.ws()
        waiting = [self.connect(family) for _ in range(100)]
        self.assertEqual(waiting[0].makefile("rb").readline(), ECHOED + b"\n")
        before = self.processor_time()
        ws.socket.sendall(frame(TEXT, event(1, "conformance.wait", ms=1000)))
        ws.next()
        self.assertLess(self.processor_time() - before, 0.5)
        waiting[0].close()
        for connection in waiting[1:]:
            self.assertEqual(connection.makefile("rb").readline(), ECHOED + b"\n")
            connection.close()
