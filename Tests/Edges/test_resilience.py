"""Cut connections, crowds, floods, slow readers and too few descriptors: answers are right and the server stays well."""

import json
import random
import select
import socket
import struct
import threading

from raw import CLOSE, CONTINUATION, ECHO, ECHOED, HTTP, TEXT, EdgeTestCase, Serve, call, event, frame

RESET = struct.pack("ii", 1, 0)  # Closing then resets the connection.


class Resilience(EdgeTestCase):
    # On a busy machine filling the buffers takes longer than two pings, which nobody answers here.
    arguments = ("--limit", "pingInterval=3600", "--limit", "unreadOutput=4194304")

    def test_cut_at_a_random_byte(self):
        """What came whole before half-close is answered once, in order; what did not come whole is not; a reset harms nobody."""
        numbers = random.Random(20)
        for turn in range(200):
            kind = ("ws", "http", "lines")[turn % 3]
            texts = [event(f"{turn}-{n}") for n in range(6)]
            pieces = [frame(TEXT, t) if kind == "ws" else call(t) if kind == "http" else t + b"\n" for t in texts]
            data = b"".join(pieces)
            cut = numbers.randrange(len(data) + 1)
            whole, start = 0, 0
            for piece in pieces:
                start += len(piece)
                # A last line without LF counts.
                whole += start <= cut or kind == "lines" and start == cut + 1
            if kind == "ws":
                ws = self.ws()
                connection, rest = ws.socket, ws.buffer
            else:
                port = self.server.port if kind == "http" else self.server.lines_port
                connection, rest = socket.create_connection(("127.0.0.1", port), timeout=20), b""
            with connection, self.subTest(turn=turn, kind=kind, cut=cut):
                connection.sendall(data[:cut])
                if numbers.random() < 0.3:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                    continue
                connection.shutdown(socket.SHUT_WR)
                try:
                    while chunk := connection.recv(65536):
                        rest += chunk
                except ConnectionResetError:
                    self.fail("reset before the answers came")
                answered = [n for n in range(6) for _ in range(rest.count(b'{"requestId":"%d-%d","response":{}}' % (turn, n)))]
                self.assertEqual(answered, list(range(whole)))

    def crowd(self):
        numbers = random.Random(3)
        waits = [(n, numbers.randrange(200)) for n in range(1000)]
        return [event(n, "conformance.wait", ms=ms) for n, ms in waits], {n: {"waited": ms} for n, ms in waits}

    def assertAnswered(self, answers, expected):
        self.assertEqual(len(answers), len(expected))
        self.assertEqual({a["requestId"]: a["response"] for a in answers}, expected)

    def test_a_thousand_at_once_over_one_websocket(self):
        texts, expected = self.crowd()
        ws = self.ws()
        ws.socket.sendall(b"".join(frame(TEXT, t) for t in texts))
        self.assertAnswered([json.loads(ws.next()[1]) for _ in texts], expected)

    def test_a_thousand_at_once_over_lines(self):
        texts, expected = self.crowd()
        self.assertAnswered([json.loads(line) for line in self.lines(b"\n".join(texts)).splitlines()], expected)

    def test_a_thousand_at_once_over_http(self):
        texts, expected = self.crowd()
        connections = [HTTP(self.server.port) for _ in range(200)]
        for n, text in enumerate(texts):
            connections[n % 200].socket.sendall(call(text))
        answers = []
        for connection in connections:
            with connection:
                answers += [json.loads(connection.next()[2]) for _ in range(5)]
        self.assertAnswered(answers, expected)

    def test_ten_thousand_notifications_in_order(self):
        one = b'{"eventName":"conformance.counter"}'
        data = b"".join(one + b"\n" if n % 100 else event(n, "conformance.counter") + b"\n" for n in range(1, 10_001))
        counts = [json.loads(line) for line in self.lines(data).splitlines()]
        self.assertEqual([(a["requestId"], a["response"]["count"]) for a in counts], [(n, n) for n in range(100, 10_001, 100)])
        ws = self.ws()
        ws.socket.sendall(b"".join(frame(TEXT, one if n % 100 else event(n, "conformance.counter")) for n in range(1, 10_001)))
        for n in range(100, 10_001, 100):
            self.assertEqual(json.loads(ws.next()[1]), {"requestId": n, "response": {"count": n}})

    def test_a_hundred_thousand_requests(self):
        ws = self.ws()
        first = self.memory()
        for start in range(0, 100_000, 1000):
            ws.socket.sendall(b"".join(frame(TEXT, event(n)) for n in range(start, start + 1000)))
            for n in range(start, start + 1000):
                self.assertEqual(ws.next()[1], b'{"requestId":%d,"response":{}}' % n)
        # Nothing is kept of what is answered: neither ids…
        ws.socket.sendall(frame(TEXT, ECHO))
        self.assertEqual(ws.next()[1], ECHOED)
        # …nor memory.
        self.assertLess(self.memory() - first, 16 << 10)

    def test_a_slow_reader_is_not_read_from(self):
        before = self.memory()
        request = frame(TEXT, event(1, a="x" * 60_000))
        ws = self.ws()
        ws.socket.setblocking(False)
        sent = 0
        rest = b""
        while True:
            rest = rest or request
            if not select.select([], [ws.socket], [], 1)[1]:
                break
            count = ws.socket.send(rest)
            sent += count
            rest = rest[count:]
            self.assertLess(sent, 256 << 20, "the server goes on reading")
        self.assertLess(self.memory() - before, 24 << 10)
        # Others are served meanwhile, and in the end every answer comes.
        self.assertEqual(self.lines(ECHO), ECHOED + b"\n")
        ws.socket.settimeout(20)
        sender = threading.Thread(target=ws.socket.sendall, args=(rest,))
        sender.start()
        for _ in range((sent + len(rest)) // len(request)):
            self.assertEqual(len(ws.next()[1]), len('{"requestId":1,"response":{"a":""}}') + 60_000)
        sender.join()

    def test_a_websocket_that_is_not_read_is_not_stored_for(self):
        ws = self.ws()
        before = self.memory()
        ws.socket.sendall(frame(TEXT, event(1, "conformance.progress", count=100_000_000)))
        while json.loads(self.ask(call(b"", method="GET", target="/_bridge/health", kind=None))[2])["sessions"]:
            self.assertLess(self.memory() - before, 32 << 10)
        last = None
        try:
            while last != CLOSE:
                last, payload = ws.next()
            self.assertEqual(struct.unpack("!H", payload[:2])[0], 1013)
        except (EOFError, ConnectionResetError):
            self.fail("1013 did not arrive")

    def test_bytes_one_by_one(self):
        """A message in fragments of one byte takes about its own size."""
        before = self.memory()
        ws = self.ws()
        text = event(1, a="y" * 128_000)
        ws.socket.sendall(b"".join(frame(TEXT if n == 0 else CONTINUATION, text[n:n + 1], fin=n == len(text) - 1)
                                   for n in range(len(text))))
        self.assertEqual(len(json.loads(ws.next()[1])["response"]["a"]), 128_000)
        self.assertLess(self.memory() - before, 16 << 10)

    def test_garbage(self):
        numbers = random.Random(9)
        for turn in range(100):
            data = numbers.randbytes(numbers.randrange(1, 3000))
            port = (self.server.port, self.server.lines_port)[turn % 2]
            with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
                try:
                    connection.sendall(data)
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65536):
                        pass
                except OSError:
                    pass
            ws = self.ws()
            ws.socket.sendall(data)
            ws.socket.shutdown(socket.SHUT_WR)
            try:
                while ws.next()[0] != CLOSE:
                    pass
            except (EOFError, ConnectionResetError):
                pass
            ws.socket.close()


class Endless(EdgeTestCase):
    def test_a_line_without_an_end(self):
        """Refused at the default limit of 16 MiB, with the reason, however much more would come."""
        before = self.memory()
        connection = self.lines_socket()
        piece, sent = b"x" * (1 << 20), 0
        try:
            while sent < 100:
                connection.sendall(piece)
                sent += 1
        except (BrokenPipeError, ConnectionResetError):
            pass
        self.assertGreaterEqual(sent, 16)
        try:
            answer = connection.makefile("rb").readline()
            self.assertEqual(json.loads(answer)["error"]["code"], -32600)
        except ConnectionResetError:
            pass  # More than the server discards: it was still being sent.
        self.assertLess(self.memory() - before, 64 << 10)


class FewDescriptors(EdgeTestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Serve(files=64)

    def test_accepting_goes_on_when_descriptors_are_free_again(self):
        ws = self.ws()
        waiting = [HTTP(self.server.port, call(ECHO)) for _ in range(100)]
        self.assertEqual(waiting[0].next()[2], ECHOED)
        # Full: some wait to be accepted. For a second of the server's own it does next to nothing.
        before = self.processor_time()
        ws.socket.sendall(frame(TEXT, event(1, "conformance.wait", ms=1000)))
        ws.next()
        self.assertLess(self.processor_time() - before, 0.5)
        self.assertLess(len(select.select([c.socket for c in waiting[1:]], [], [], 0)[0]), 99)
        # As places become free, those who wait are served, all of them.
        waiting[0].socket.close()
        for connection in waiting[1:]:
            self.assertEqual(connection.next()[2], ECHOED)
            connection.socket.close()
