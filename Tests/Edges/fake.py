"""Servers of raw bytes that `bridgehead call` is sent to: each takes one connection and says what it is told to."""

import base64
import hashlib
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading

from raw import CLOSE, EXECUTABLE, TEXT, frame

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Fake:
    """A server on `transport` that answers the first message with what `answer` makes of it, as bytes or as the frames of
    a WebSocket. Then it keeps the connection open, and says nothing more, until the other side is gone."""

    def __init__(self, transport, answer):
        self.transport, self.answer, self.folder = transport, answer, None
        self.message = b""
        if transport == "unix":
            self.folder = tempfile.mkdtemp()
            path = str(pathlib.Path(self.folder, "s"))
            self.listener = socket.socket(socket.AF_UNIX)
            self.listener.bind(path)
            self.url = f"unix:{path}"
        else:
            self.listener = socket.socket()
            self.listener.bind(("127.0.0.1", 0))
            self.url = f"{transport}://127.0.0.1:{self.listener.getsockname()[1]}"
        self.listener.listen()
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        if self.folder:
            shutil.rmtree(self.folder)

    def call(self, *arguments, event="x"):
        """`call` of that event, to its end: (exit code, standard output, standard error)."""
        done = subprocess.run([EXECUTABLE, "call", event, "--url", self.url, *arguments], capture_output=True, text=True,
                              timeout=30)
        return done.returncode, done.stdout, done.stderr

    def serve(self):
        try:
            self.connection, _ = self.listener.accept()
            with self.connection, self.connection.makefile("rb") as self.reader:
                getattr(self, {"ws": "websocket", "http": "http"}.get(self.transport, "lines"))()
                while self.reader.read(1):
                    pass
        except OSError:
            pass

    def head(self):
        lines = []
        while (line := self.reader.readline().strip()):
            lines.append(line)
        return {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines[1:])}

    def websocket(self):
        accept = base64.b64encode(hashlib.sha1(self.head()[b"sec-websocket-key"] + GUID).digest())
        self.connection.sendall(b"HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                                + accept + b"\r\n\r\n")
        self.message = self.frame()
        answer = self.answer(self.message)
        self.connection.sendall(b"".join(answer) if isinstance(answer, list) else frame(TEXT, answer, mask=False))

    def frame(self):
        """The next short frame of the client."""
        first, length = self.reader.read(2)
        length &= 127
        if length == 126:
            length = int.from_bytes(self.reader.read(2), "big")
        key = self.reader.read(4)
        payload = bytes(byte ^ key[i % 4] for i, byte in enumerate(self.reader.read(length)))
        return payload if first & 15 != CLOSE else b""

    def http(self):
        self.message = self.reader.read(int(self.head()[b"content-length"]))
        body = self.answer(self.message)
        self.connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    def lines(self):
        self.message = self.reader.readline().strip()
        self.connection.sendall(self.answer(self.message) + b"\n")
