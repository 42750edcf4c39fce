"""Requests as raw bytes, and every answer that a connection gives to them."""

import re
import socket

from sources import ExternalTestCase

# Follows every request on its connection: answered where the connection goes on, and never part of another request.
AFTER = b"GET /_bridge/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
# The answers that say that a message is malformed, over a limit, or in a form that is not understood.
REFUSALS = {400, 413, 414, 417, 431, 501, 505}


def aimed(data, route, count=1):
    """The first requests with their targets under `route`, and with a Host if they have none."""
    start = 0
    for _ in range(count):
        line = re.compile(rb"^\S+ (?:https?://[^/\r\n]*)?(/[^\r\n]*) HTTP/\d\.\d\r\n", re.MULTILINE).search(data, start)
        if line is None:
            return data
        head = data[line.start():].split(b"\r\n\r\n")[0]
        host = b"" if re.search(rb"\r\nhost:", head, re.IGNORECASE) else b"Host: localhost\r\n"
        path = f"/_bridge/{route}?".encode()
        data = data[:line.start(1)] + path + data[line.start(1):line.end()] + host + data[line.end():]
        start = line.end() + len(path) + len(host)
    return data


class HTTPTestCase(ExternalTestCase):
    def exchange(self, data, by_octet=False, ends=False):
        """Every answer to these bytes on one connection that the server ends: [(status, head, body)]."""
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            received = b""
            try:
                for part in (data[n:n + 1] for n in range(len(data))) if by_octet else [data]:
                    connection.sendall(part)
                if ends:
                    connection.shutdown(socket.SHUT_WR)
            except (BrokenPipeError, ConnectionResetError):
                pass
            while chunk := connection.recv(65536):
                received += chunk
        answers, has_body = [], not data.startswith(b"HEAD ")
        while received:
            head, _, received = received.partition(b"\r\n\r\n")
            length = re.search(rb"\r\ncontent-length: (\d+)", head, re.IGNORECASE)
            length = int(length[1]) if length and has_body else 0
            self.assertLessEqual(length, len(received))
            answers.append((int(head.split()[1]), head.lower(), received[:length]))
            received, has_body = received[length:], True
        return answers

    def assertRefused(self, answers, statuses=REFUSALS):
        """One answer says why, nothing is answered after it, and the connection ends."""
        self.assertEqual(len(answers), 1, answers)
        self.assertIn(answers[0][0], statuses, answers)
        self.assertIn(b"\r\nconnection: close", answers[0][1])
