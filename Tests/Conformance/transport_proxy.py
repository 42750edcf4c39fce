"""A proxy in front of a right server, that makes one thing wrong: proof that the transport vectors can fail."""

import re
import socket
import struct
import threading

RESET = struct.pack("ii", 1, 0)  # Closing then breaks the connection.
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Answer:
    """An answer of HTTP."""

    def __init__(self, head, body, request):
        lines = head.split(b"\r\n")
        self.version, status, self.reason = (lines[0].split(b" ", 2) + [b""])[:3]
        self.status = int(status)
        self.fields = [tuple(part.strip() for part in line.split(b":", 1)) for line in lines[1:]]
        self.body = body
        # The request's first line, as far as one can be seen.
        self.request = request

    def get(self, name):
        return next((value for field, value in self.fields if field.lower() == name.lower()), None)

    def set(self, name, value=None):
        """Replaces the field, or without a value drops it."""
        self.fields = [(field, old) for field, old in self.fields if field.lower() != name.lower()]
        if value is not None:
            self.fields.append((name, value))
        return self

    def with_status(self, status):
        self.status = status
        return self

    def with_body(self, body):
        self.body = body
        return self.set(b"Content-Length", b"%d" % len(body)) if self.get(b"Content-Length") is not None else self

    @property
    def bytes(self):
        lines = [b"%s %d %s" % (self.version, self.status, self.reason)]
        lines += [b": ".join(field) for field in self.fields]
        return b"\r\n".join(lines) + b"\r\n\r\n" + self.body


def frame(first, payload=b"", mask=False):
    bit = 0x80 if mask else 0
    if len(payload) < 126:
        head = struct.pack("!BB", first, bit | len(payload))
    elif len(payload) < 65536:
        head = struct.pack("!BBH", first, bit | 126, len(payload))
    else:
        head = struct.pack("!BBQ", first, bit | 127, len(payload))
    return head + (bytes(4) if mask else b"") + payload  # A mask of zeros.


def split_frame(buffer):
    """(first byte, payload, whether it was masked, rest) of the first frame, or None when it is not whole."""
    if len(buffer) < 2:
        return None
    length, start = buffer[1] & 127, 2
    if length > 125:
        size = 2 if length == 126 else 8
        if len(buffer) < 2 + size:
            return None
        length, start = int.from_bytes(buffer[2:2 + size], "big"), 2 + size
    masked = buffer[1] >= 0x80
    key = buffer[start:start + 4] if masked else bytes(4)
    start += 4 if masked else 0
    if len(buffer) < start + length:
        return None
    payload = buffer[start:start + length]
    if masked and key != bytes(4):
        payload = bytes(byte ^ key[i & 3] for i, byte in enumerate(payload))
    return buffer[0], payload, masked, buffer[start + length:]


class Fault:
    """What is made wrong, by hooks; a hook that is not given changes nothing.

    up: bytes of HTTP or lines to the server. answer: an answer of HTTP, to be given back as Answer or bytes; None drops
    it and ends the connection. up_frame: (first byte, payload, whether it is masked) to bytes. down_frame: (first byte,
    payload) to bytes.
    closes: what to do when the server ends its output. ends: the same for the client's output.

    `server` is which of the tests' servers is behind it, `ask` the transport over which the target is asked what it is:
    one that is not broken. `only` is the filter, where not all vectors of the rule are to wait for what does not come.
    `breaks`: that a connection is not there, or ends, is the fault itself. A hook that fails shows no fault: `failures`.
    """

    def __init__(self, name, rule, server="sizes", ask="ws", only=None, ipv6=True, breaks=False, **hooks):
        self.name, self.rule, self.server, self.ask, self.ipv6 = name, rule, server, ask, ipv6
        self.only = only or rule
        self.breaks = breaks or not ipv6
        self.failures = []
        self.lines = ask == "lines"
        for hook in ("up", "answer", "up_frame", "down_frame", "closes", "ends"):
            setattr(self, hook, hooks.pop(hook, None))
        assert not hooks, hooks


class Connection:
    def __init__(self, client, port, fault, lines):
        self.client, self.fault, self.is_lines = client, fault, lines
        self.server = socket.create_connection(("127.0.0.1", port))
        for end in (self.client, self.server):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.is_websocket = False
        self.requests, self.answers = [], 0
        self.ended = threading.Event()
        self.threads = [threading.Thread(target=run, daemon=True) for run in (self.upwards, self.downwards)]
        for thread in self.threads:
            thread.start()

    def cut(self, end):
        try:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            end.close()
        except OSError:
            pass

    def cut_both(self):
        self.cut(self.client)
        self.cut(self.server)

    # From the client to the server.

    def upwards(self):
        buffer = b""
        try:
            while data := self.client.recv(1 << 16):
                if self.is_lines or not self.is_websocket:
                    self.requests += re.findall(rb"^[A-Z]+ [^\r\n]*HTTP/1", data, re.MULTILINE)
                    self.server.sendall(self.fault.up(data) if self.fault.up else data)
                elif not self.fault.up_frame:
                    self.server.sendall(data)
                else:
                    buffer += data
                    while parts := split_frame(buffer):
                        buffer = parts[3]
                        self.server.sendall(self.fault.up_frame(*parts[:3]))
            if self.fault.ends:
                self.fault.ends(self)
            else:
                self.server.shutdown(socket.SHUT_WR)
        except OSError:
            # Either is gone: neither is to wait for the other.
            self.cut_both()
        except Exception as failure:
            self.fault.failures.append(failure)
            self.cut_both()

    # From the server to the client.

    def downwards(self):
        buffer = b""
        try:
            while data := self.server.recv(1 << 16):
                buffer = self.forward(buffer + data)
            self.client.sendall(buffer)
            if self.fault.closes:
                self.fault.closes(self)
            else:
                self.client.shutdown(socket.SHUT_WR)
        except OSError:
            self.cut_both()
        except Exception as failure:
            self.fault.failures.append(failure)
            self.cut_both()

    def forward(self, buffer):
        """Sends on what is whole, and gives back what is not."""
        while buffer:
            if self.is_lines:
                end = buffer.rfind(b"\n") + 1
                data, buffer = buffer[:end], buffer[end:]
                self.client.sendall(data)
                return buffer
            if self.is_websocket:
                parts = split_frame(buffer)
                if not parts:
                    return buffer
                whole, buffer = buffer[:len(buffer) - len(parts[3])], parts[3]
                self.client.sendall(
                    self.fault.down_frame(parts[0], parts[1]) if self.fault.down_frame else whole)
                continue
            if b"\r\n\r\n" not in buffer:
                return buffer
            head, rest = buffer.split(b"\r\n\r\n", 1)
            index = min(self.answers, len(self.requests) - 1)
            answer = Answer(head, b"", self.requests[index] if index >= 0 else b"")
            length = int(answer.get(b"Content-Length") or 0)
            if answer.request.startswith(b"HEAD ") or answer.status in (100, 101, 204, 304):
                length = 0
            if len(rest) < length:
                return buffer
            answer.body, buffer = rest[:length], rest[length:]
            self.answers += answer.status != 100
            self.is_websocket = answer.status == 101
            made = self.fault.answer(answer) if self.fault.answer else answer
            if made is None:
                self.cut(self.server)
                return b""
            self.client.sendall(made if isinstance(made, bytes) else made.bytes)
        return b""


class Proxy:
    """Listens on both loopback addresses with one port, where this machine has both."""

    def __init__(self, server, fault):
        self.fault, self.lines = fault, fault.lines
        self.port = server.lines_port if fault.lines else server.port
        self.listeners, self.connections = [], []
        self.listen(socket.AF_INET, "127.0.0.1", 0)
        self.own_port = self.listeners[0].getsockname()[1]
        if fault.ipv6 and not fault.lines:
            try:
                self.listen(socket.AF_INET6, "::1", self.own_port)
            except OSError:
                pass

    def listen(self, family, host, port):
        listener = socket.socket(family)
        try:
            if family == socket.AF_INET6:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            listener.bind((host, port))
        except OSError:
            listener.close()
            raise
        listener.listen(128)
        self.listeners.append(listener)
        threading.Thread(target=self.accept, args=(listener,), daemon=True).start()

    def accept(self, listener):
        try:
            while True:
                client, _ = listener.accept()
                try:
                    self.connections.append(Connection(client, self.port, self.fault, self.lines))
                except OSError:
                    client.close()
        except OSError:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for listener in self.listeners:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for connection in self.connections:
            connection.cut_both()
