"""What peers send does not fill the terminal, and does not steer it."""

import json
import os
import subprocess
import tempfile
import time

from raw import ECHO, ECHOED, TEXT, EdgeTestCase, Serve, event, frame

# ESC, the one-byte CSI of C1 (alone and in UTF-8), DEL, line ends, right-to-left override, line separator.
STEERING = "\u001b[2J\u009b31m\u007f\r\n\u202e\u2028\u0007"


class LogFloods(EdgeTestCase):
    def setUp(self):
        self.errors = tempfile.TemporaryFile()
        self.addCleanup(self.errors.close)

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def tearDown(self):
        super().tearDown()
        self.assertEqual(self.server.stop(), 0)

    def serve(self, *arguments):
        self.server = Serve("--quiet", *arguments, errors=self.errors)

    def written(self):
        self.errors.seek(0)
        return self.errors.read()

    def test_a_flood_of_faults(self):
        """A thousand lines, then at most fifty a second, and how many are missing."""
        for format in ("text", "json"):
            self.serve("--log-format", format)
            started = time.monotonic()
            ws = self.ws()
            for _ in range(20):
                ws.socket.sendall(frame(TEXT, b"x") * 500)
                self.assertEqual({json.loads(ws.next()[1])["error"]["code"] for _ in range(500)}, {-32700})
            most = 1000 + 50 * (time.monotonic() - started + 1)
            lines = self.written().splitlines()
            self.assertGreaterEqual(len(lines), 1000)
            # Some of them say how many were left out.
            self.assertLessEqual(len(lines), most * 51 / 50 + 1)
            # Once it is calm, that is said before the next line.
            while b"lines were left out" not in self.written():
                ws.socket.sendall(frame(TEXT, b"x"))
                ws.next()
            if format == "text":
                self.assertEqual(self.lines(ECHO), ECHOED + b"\n")
                self.assertEqual(self.server.stop(), 0)
                self.errors.seek(0)
                self.errors.truncate()

    def test_readers_that_do_not_read(self):
        """Whoever waited for `Listening` and looks no more does not hold up the server; who looks again learns of the gap."""
        for format in ("text", "json"):
            self.server = Serve("--log-level", "debug", "--log-format", format, errors=subprocess.PIPE)
            self.addCleanup(self.server.process.stderr.close)
            ws = self.ws()
            for _ in range(10):
                ws.socket.sendall(frame(TEXT, b"x") * 500)
                for _ in range(500):
                    ws.next()
            self.assertEqual(self.lines(ECHO), ECHOED + b"\n")
            for stream in (self.server.process.stdout, self.server.process.stderr):
                os.set_blocking(stream.fileno(), False)
                text = ""
                while "lines were lost" not in text:
                    text += stream.read() or ""
                    ws.socket.sendall(frame(TEXT, b"x"))
                    ws.next()
            if format == "text":
                self.assertEqual(self.server.stop(), 0)

    def test_names_that_steer_the_terminal(self):
        for format in ("text", "json"):
            self.serve("--log-format", format)
            for n, message in enumerate((event(1, STEERING), event(1, "$/postMessage", handler=STEERING, body=1),
                                         json.dumps({STEERING: 1}, ensure_ascii=False).encode()[:-1] + b"x")):
                self.assertIn(b"error", self.lines(message + b"\n"))
            text = self.written().decode()
            self.assertFalse([c for c in text if c != "\n" and (ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2028")])
            self.assertIn("9b", text)
            if format == "json":
                for line in text.splitlines():
                    self.assertIn("message", json.loads(line))
            else:
                self.assertEqual(self.lines(ECHO), ECHOED + b"\n")
                self.assertEqual(self.server.stop(), 0)
                self.errors.seek(0)
                self.errors.truncate()

    def test_lines_are_short(self):
        """However long a name is, and though it be one character."""
        self.serve()
        for name in ("n" * 500_000, "n" + "\u0301" * 500_000, "\u0001" * 200_000):
            self.assertIn(b"-32601", self.lines(event(1, name) + b"\n"))
            self.assertIn(b"-32601", self.lines(event(1, "$/postMessage", handler=name, body=1) + b"\n"))
            self.assertIn(b"-32700", self.lines(json.dumps({name: 1}).encode()[:-1] + b"x\n"))
        self.assertLess(max(map(len, self.written().splitlines())), 10_000)
