"""The process is asked to end during traffic: what was taken is answered, and the exit code says how it ended."""

import array
import fcntl
import itertools
import json
import signal
import socket
import termios
import threading
import time
import unittest

from raw import CLOSE, ECHO, ECHOED, HTTP, TEXT, Serve, WebSocket, call, event, frame


class Draining(unittest.TestCase):
    def serve(self, *arguments):
        server = self.server = Serve(*arguments)
        self.addCleanup(server.process.stdout.close)
        self.addCleanup(server.process.wait)
        self.addCleanup(server.process.kill)

    def test_sigterm_during_traffic(self):
        self.traffic(signal.SIGTERM)

    def test_sigint_during_traffic(self):
        self.traffic(signal.SIGINT)

    def traffic(self, number):
        """On each transport requests are sent without pause; answers are in: every one up to the last that was taken."""
        self.serve()
        busy = threading.Semaphore(0)
        got = {"ws": [], "lines": [], "http": []}
        ws = WebSocket(self.server.port)
        lines = socket.create_connection(("127.0.0.1", self.server.lines_port), timeout=30)
        http = HTTP(self.server.port)
        sockets = {"ws": ws.socket, "lines": lines, "http": http.socket}
        wrap = {"ws": lambda t: frame(TEXT, t), "lines": lambda t: t + b"\n", "http": call}
        closed, over = [], set()
        room = {kind: threading.Semaphore(100) for kind in got}

        def send(kind):
            try:
                for n in itertools.count():
                    room[kind].acquire()
                    if kind in over:
                        break
                    text = event(n, "conformance.wait", ms=n * 7 % 20) if n % 3 else event(n)
                    sockets[kind].sendall(wrap[kind](text))
            except OSError:
                pass  # The server has closed it.

        def receive(kind):
            reader = lines.makefile("rb")
            try:
                while True:
                    if kind == "ws":
                        opcode, payload = ws.next()
                        if opcode == CLOSE:
                            closed.append(int.from_bytes(payload[:2], "big"))
                            break
                    elif kind == "lines":
                        payload = reader.readline()
                    else:
                        status, _, payload = http.next()
                        if status == 503:
                            break  # To a request that had not come whole.
                    if not payload:
                        break
                    got[kind].append(json.loads(payload))
                    room[kind].release()
                    if len(got[kind]) == 500:
                        busy.release()
            except (EOFError, ConnectionResetError):
                pass
            over.add(kind)
            room[kind].release()

        threads = [threading.Thread(target=f, args=(k,), daemon=True) for k in got for f in (send, receive)]
        for thread in threads:
            thread.start()
        for _ in got:
            self.assertTrue(busy.acquire(timeout=30))
        self.server.process.send_signal(number)
        self.assertEqual(self.server.process.wait(timeout=30), 0)
        for thread in threads:
            thread.join()
        for one in sockets.values():
            one.close()
        self.assertEqual(closed, [1001])
        for kind, answers in got.items():
            # Taken in order: with the last that was answered, all before it were taken, and each is answered once.
            ids = sorted(a["requestId"] for a in answers)
            self.assertEqual(ids, list(range(len(ids))), kind)
            for answer in answers:
                if "error" in answer:
                    self.assertEqual((answer["error"]["code"], answer["error"]["data"]["reason"]), (-32000, "draining"))
        self.assertRaises(OSError, socket.create_connection, ("127.0.0.1", self.server.port), 5)

    def test_new_requests_are_refused_and_a_second_signal_ends_it(self):
        self.serve()
        ws = WebSocket(self.server.port)
        ws.socket.sendall(frame(TEXT, event("first", "conformance.wait", ms=60000)) + frame(TEXT, ECHO))
        self.assertEqual(ws.next()[1], ECHOED)
        self.server.process.send_signal(signal.SIGTERM)
        while True:
            ws.socket.sendall(frame(TEXT, ECHO))
            answer = json.loads(ws.next()[1])
            if "error" in answer:
                break
        self.assertEqual((answer["error"]["code"], answer["error"]["data"]["reason"]), (-32000, "draining"))
        self.server.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.process.wait(timeout=10), 130)
        ws.socket.close()

    def test_what_takes_too_long_is_cancelled(self):
        self.serve("--drain-timeout", "0.1")
        ws = WebSocket(self.server.port)
        ws.socket.sendall(frame(TEXT, event(1, "conformance.wait", ms=60000)) + frame(TEXT, event(2)))
        self.assertEqual(json.loads(ws.next()[1])["requestId"], 2)
        lines = socket.create_connection(("127.0.0.1", self.server.lines_port), timeout=30)
        with lines, lines.makefile("rb") as reader:
            lines.sendall(event(3, "conformance.wait", ms=60000) + b"\n" + event(4) + b"\n")
            self.assertEqual(json.loads(reader.readline())["requestId"], 4)
            self.server.process.send_signal(signal.SIGTERM)
            self.assertEqual(json.loads(reader.readline())["error"]["code"], -32800)
            self.assertEqual(reader.read(), b"")
        self.assertEqual(json.loads(ws.next()[1])["error"]["code"], -32800)
        self.assertEqual(ws.close_code(), 1001)
        self.assertEqual(self.server.process.wait(timeout=10), 0)

    def ends(self):
        """Asks the server to end, and waits for it: much longer than it needs, much less than it might wait."""
        self.server.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.process.wait(timeout=30), 0)

    # With these a wait for anybody is a wait that `ends` notices.
    PATIENT = ("--drain-timeout", "300", "--limit", "lingerTimeout=300", "--limit", "headTimeout=300")

    HALF = (b"G", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n", call(ECHO)[:-1], call(ECHO, "Expect: 100-continue")[:-len(ECHO)],
            b"POST /_bridge/rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")

    def test_nobody_is_waited_for_when_no_request_runs(self):
        self.serve(*self.PATIENT)
        # None of them ends its side, nor takes what it is sent, before the server is gone.
        half = [HTTP(self.server.port, data) for data in self.HALF]
        behind = HTTP(self.server.port, call(ECHO) + b"GET / HT")
        idle, used, refused = HTTP(self.server.port), HTTP(self.server.port, call(ECHO)), HTTP(self.server.port, b"nonsense\r\n")
        ws, echo = WebSocket(self.server.port), WebSocket(self.server.port, path="/_bridge/echo")
        within = WebSocket(self.server.port)
        within.socket.sendall(frame(TEXT, ECHO)[:-3])
        lines = socket.create_connection(("127.0.0.1", self.server.lines_port), timeout=20)
        lines.sendall(ECHO + b"\n" + ECHO)
        # It is accepted: one that is still in the listener's queue is reset.
        self.assertEqual(b"".join(lines.recv(1) for _ in ECHOED + b"\n"), ECHOED + b"\n")
        self.assertEqual(used.next()[2], ECHOED)
        self.assertEqual(refused.next()[0], 400)
        self.assertEqual(behind.next()[2], ECHOED)
        for one in half:
            if b"Expect" in one.sent:
                self.assertEqual(one.next()[0], 100)
        self.ends()
        for one in (ws, echo, within):
            self.assertEqual(one.close_code(), 1001)
        for one in half + [behind]:
            with self.subTest(sent=one.sent):
                status, head, _ = one.next()
                self.assertEqual((status, "connection: close" in head), (503, True))
        for one in half + [behind, idle, used, refused]:
            self.assertTrue(one.ended())
            one.socket.close()
        self.assertEqual(lines.recv(1), b"")
        lines.close()

    def test_what_runs_is_answered_though_others_are_half_way(self):
        self.serve(*self.PATIENT)
        half = [HTTP(self.server.port, data) for data in self.HALF]
        ws, http = WebSocket(self.server.port), HTTP(self.server.port, call(event(1, "conformance.wait", ms=500)) + b"GET / HT")
        lines = socket.create_connection(("127.0.0.1", self.server.lines_port), timeout=20)
        ws.socket.sendall(frame(TEXT, event(1, "conformance.wait", ms=500)) + frame(TEXT, ECHO)[:-3])
        lines.sendall(event(1, "conformance.wait", ms=500) + b"\n" + ECHO[:-3])
        # The wait of each has begun when an answer to what was sent later is there.
        with HTTP(self.server.port, call(ECHO)) as later:
            self.assertEqual(later.next()[2], ECHOED)
        self.ends()
        waited = {"waited": 500}
        self.assertEqual(json.loads(ws.next()[1])["response"], waited)
        self.assertEqual(ws.close_code(), 1001)
        self.assertEqual(json.loads(http.next()[2])["response"], waited)
        with lines, lines.makefile("rb") as reader:
            self.assertEqual(json.loads(reader.readline())["response"], waited)
            self.assertEqual(reader.read(), b"")
        for one in half + [http]:
            one.socket.close()

    def test_a_server_that_is_held_up_ends_too(self):
        """Nobody reads its output any more, so that it stands still in the middle of a request, as with a handler that
        does not return."""
        self.serve("--log-level", "debug", "--drain-timeout", "0.1")
        lines = socket.create_connection(("127.0.0.1", self.server.lines_port), timeout=30)
        lines.sendall(b"".join(event(n, text="x" * 150) + b"\n" for n in range(2000)))
        unread = array.array("i", [0])
        before = -1
        while unread[0] < 32768 or unread[0] != before:
            before = unread[0]
            time.sleep(0.2)
            fcntl.ioctl(self.server.process.stdout, termios.FIONREAD, unread)
        self.ends()
        lines.close()
