"""Raw bytes to a running `bridgehead serve`, and what comes back: no client library stands between."""

import base64
import contextlib
import json
import os
import pathlib
import socket
import struct
import sys
import threading

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "ThirdParty"))
from support import EXECUTABLE, ROOT, BridgeTestCase, Serve  # noqa: E402, F401

ECHO = b'{"requestId":1,"eventName":"conformance.echo","a":"b"}'
ECHOED = b'{"requestId":1,"response":{"a":"b"}}'
OK = b'HTTP/1.1 200 OK\r\n'


def frame(opcode, payload=b"", fin=True, mask=True, rsv=0, length=None):
    """A frame of a client; `length` overrides what it announces."""
    first = (0x80 if fin else 0) | rsv << 4 | opcode
    bit = 0x80 if mask else 0
    if length is not None:
        head = struct.pack("!BBQ", first, bit | 127, length)
    elif len(payload) < 126:
        head = struct.pack("!BB", first, bit | len(payload))
    elif len(payload) < 65536:
        head = struct.pack("!BBH", first, bit | 126, len(payload))
    else:
        head = struct.pack("!BBQ", first, bit | 127, len(payload))
    if not mask:
        return head + payload
    key = os.urandom(4)
    return head + key + bytes(b ^ key[i % 4] for i, b in enumerate(payload))


TEXT, BINARY, CLOSE, PING, PONG, CONTINUATION = 1, 2, 8, 9, 10, 0


class WebSocket:
    """A WebSocket connection of bytes."""

    def __init__(self, port, *fields, path="/_bridge/ws", upgrade="websocket", connection=("Connection: Upgrade",),
                 key=None, version="13", also=b""):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        key = key or base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Upgrade: {upgrade}", *connection,
                 f"Sec-WebSocket-Key: {key}", f"Sec-WebSocket-Version: {version}", *fields]
        self.socket.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + also)
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.receive()
        self.head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        self.status = int(self.head.split()[1])

    def receive(self):
        chunk = self.socket.recv(65536)
        if not chunk:
            raise EOFError
        self.buffer += chunk

    def next(self, pings=False):
        """The next frame of the server: (opcode, payload). Its pings are passed over unless they are asked for."""
        def need(count):
            while len(self.buffer) < count:
                self.receive()
        need(2)
        length, start = self.buffer[1] & 127, 2
        if length == 126:
            need(4)
            length, start = struct.unpack("!H", self.buffer[2:4])[0], 4
        elif length == 127:
            need(10)
            length, start = struct.unpack("!Q", self.buffer[2:10])[0], 10
        need(start + length)
        opcode, payload = self.buffer[0] & 15, self.buffer[start:start + length]
        self.buffer = self.buffer[start + length:]
        return (opcode, payload) if pings or opcode != PING else self.next()

    def close_code(self):
        """The code the server closes with; answers before it are passed over."""
        while True:
            opcode, payload = self.next()
            if opcode == CLOSE:
                self.socket.close()
                return struct.unpack("!H", payload[:2])[0] if payload else None


class HTTP:
    """A connection of HTTP, whose answers are taken one by one."""

    def __init__(self, port, data=b""):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.sent = data
        self.socket.sendall(data)
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def receive(self):
        chunk = self.socket.recv(65536)
        if not chunk:
            raise EOFError
        self.received += chunk

    def next(self):
        """The next answer: (status, head in lower case, body)."""
        while b"\r\n\r\n" not in self.received:
            self.receive()
        head, self.received = self.received.split(b"\r\n\r\n", 1)
        head = head.decode().lower()
        length = next((int(line.split(":")[1]) for line in head.splitlines() if line.startswith("content-length:")), 0)
        while len(self.received) < length:
            self.receive()
        body, self.received = self.received[:length], self.received[length:]
        return int(head.split()[1]), head, body

    def ended(self):
        """Whether the server ended the connection, with nothing more to say."""
        try:
            return not self.received and self.socket.recv(1) == b""
        except ConnectionResetError:
            return True


def call(body, *fields, target="/_bridge/rpc", method="POST", host="localhost", kind="application/json"):
    """A request of HTTP, as bytes."""
    lines = [f"{method} {target} HTTP/1.1"]
    lines += [f"Host: {host}"] if host is not None else []
    lines += [f"Content-Type: {kind}"] if kind else []
    lines += [f"Content-Length: {len(body)}"] if method not in ("GET", "HEAD", "OPTIONS") else []
    return "\r\n".join([*lines, *fields]).encode("latin-1") + b"\r\n\r\n" + body


def event(number, name="conformance.echo", **payload):
    """A request of the event dialect, as bytes."""
    return json.dumps({"requestId": number, "eventName": name, **payload}).encode()


class EdgeTestCase(BridgeTestCase):
    """Each of its tests ends with the server well."""

    def tearDown(self):
        self.assertEqual(self.lines(ECHO), ECHOED + b"\n")

    def ws(self, *arguments, **options):
        connection = WebSocket(self.server.port, *arguments, **options)
        self.addCleanup(connection.socket.close)
        return connection

    def http(self, data):
        """All that comes back for these bytes, to the end of an answer or of the connection."""
        with HTTP(self.server.port, data) as connection:
            try:
                while not (connection.received.endswith(b"}") and b"\r\n\r\n" in connection.received
                           and b"Connection: close" not in connection.received):
                    connection.receive()
            except (EOFError, ConnectionResetError):
                pass
            return connection.received

    def post(self, body, *fields):
        head = ["POST /_bridge/rpc HTTP/1.1", f"Host: 127.0.0.1:{self.server.port}",
                "Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close", *fields]
        return self.http("\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body)

    def rpc(self, text):
        """The answer over HTTP, as a value."""
        answer = self.post(text if isinstance(text, bytes) else text.encode())
        self.assertTrue(answer.startswith(OK), answer[:100])
        return json.loads(answer.split(b"\r\n\r\n", 1)[1])

    def assertEchoes(self, ws):
        self.assertEqual(ws.status, 101, ws.head)
        self.assertNotIn(b"sec-websocket-extensions", ws.head.lower())
        ws.socket.sendall(frame(TEXT, ECHO))
        self.assertEqual(ws.next(), (TEXT, ECHOED))

    def ask(self, data):
        """The one answer of a connection of its own: (status, head in lower case, body)."""
        with HTTP(self.server.port, data) as connection:
            return connection.next()

    def lines_socket(self):
        connection = socket.create_connection(("127.0.0.1", self.server.lines_port), timeout=20)
        self.addCleanup(connection.close)
        return connection

    def processor_time(self):
        """Processor time the server has used, in seconds."""
        fields = pathlib.Path(f"/proc/{self.server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, what="VmRSS"):
        """Resident memory of the server, in KiB."""
        status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(what))

    @contextlib.contextmanager
    def growth_below(self, mebibytes):
        """The server never has so much more memory than at the start."""
        before = self.memory()
        # The high-water mark is that of what follows.
        pathlib.Path(f"/proc/{self.server.process.pid}/clear_refs").write_text("5")
        yield
        self.assertLess(self.memory("VmHWM") - before, mebibytes * 1024)

    @contextlib.contextmanager
    def others_served(self):
        """An ordinary client is answered from beginning to end."""
        ws, done, answered = self.ws(), threading.Event(), set()
        ws.socket.settimeout(60)

        def calls():
            try:
                # One more when it is over.
                last = False
                while not last:
                    last = done.is_set()
                    ws.socket.sendall(frame(TEXT, ECHO))
                    while (answer := ws.next(pings=True))[0] == PING:
                        ws.socket.sendall(frame(PONG, answer[1]))
                    answered.add(answer)
            except Exception as error:
                answered.add(error)

        thread = threading.Thread(target=calls)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
            ws.socket.close()
        self.assertEqual(answered, {(TEXT, ECHOED)})

    def assertRests(self):
        """For a second of the server's own it does next to nothing, once it has done what was left to do."""
        ws = self.ws()
        for _ in range(20):
            before = self.processor_time()
            ws.socket.sendall(frame(TEXT, event(1, "conformance.wait", ms=1000)))
            while ws.next(pings=True)[0] != TEXT:
                pass
            used = self.processor_time() - before
            if used < 0.5:
                break
        ws.socket.close()
        self.assertLess(used, 0.5)

    def sessions(self):
        """How many sessions the server has."""
        return json.loads(self.ask(call(b"", method="GET", target="/_bridge/health", kind=None))[2])["sessions"]

    def wait_for_sessions(self, count):
        """Until the server has noticed who is gone."""
        while self.sessions() != count:
            pass
