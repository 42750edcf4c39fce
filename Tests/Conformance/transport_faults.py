"""The faults of `transport_proxy`, each with the rule that it breaks."""

import re

from transport_proxy import BINARY, CLOSE, PING, PONG, TEXT, Fault, frame

FINAL = 0x80


def status(old, new):
    return lambda answer: answer.with_status(new) if answer.status == old else answer


def field(name, value=None, only=lambda answer: True):
    return lambda answer: answer.set(name, value) if answer.get(name) is not None and only(answer) else answer


def without(name):
    """Requests reach the server without that field, and so are let in."""
    pattern = re.compile(rb"\r\n" + name + rb":[^\r\n]*", re.IGNORECASE)
    return lambda data: pattern.sub(b"", data)


def replaced(pattern, new, flags=0):
    compiled = re.compile(pattern, flags)
    return lambda data: compiled.sub(new, data)


def down(kind, change):
    """Frames of that kind reach the client as `change(first byte, payload)` makes them."""
    return lambda first, payload: change(first, payload) if kind in (None, first & 15) else frame(first, payload)


def up(change):
    """Frames reach the server as `change(first byte, payload, mask)` makes them: what is wrong with them is not seen."""
    return lambda first, payload, mask: frame(*change(first, payload, mask))


def close_code(old, new):
    old, new = old.to_bytes(2, "big"), new.to_bytes(2, "big")
    return down(CLOSE, lambda first, payload: frame(first, new + payload[2:] if payload[:2] == old else payload))


def dropped(kind):
    return down(kind, lambda first, payload: b"")


def cut_character(first, payload):
    return frame(first, payload[:-4] + b"\xe2\x82" if b"\xe2" in payload else payload)


def known(first):
    return first if first & 15 in (0, TEXT, BINARY, CLOSE, PING, PONG) else FINAL | PONG


def valid(payload):
    return payload.decode("utf-8", "replace").encode()


def never(connection):
    """The end is not passed on."""


def cut(connection):
    connection.cut(connection.client)


def cut_both(connection):
    connection.cut_both()


def too_long(answer):
    if answer.body:
        answer.set(b"Content-Length", b"%d" % (len(answer.body) + 1))
    return answer


def without_body(answer):
    return answer.with_body(b"") if answer.status == 200 and answer.body else answer


def head_with_body(answer):
    return answer.bytes + b"body" if answer.request.startswith(b"HEAD ") else answer


def known_again(answer):
    return answer.with_status(200).with_body(b"again").set(b"Content-Length", b"5") if answer.status == 304 else answer


def shared_with_all(answer):
    return answer.set(b"Access-Control-Allow-Origin", b"*")


def one_answer(answer):
    return answer.set(b"Connection", b"close").bytes if answer.status == 200 else answer


class Swapped:
    """Two answers that wait for one another."""

    def __init__(self):
        self.first = None

    def __call__(self, answer):
        if b"slow" in answer.body:
            self.first = answer.bytes
            return b""
        first, self.first = self.first, None
        return answer.bytes + first if first else answer


def plus_extension(answer):
    return answer.set(b"Sec-WebSocket-Extensions", b"permessage-deflate") if answer.status == 101 else answer


def other_subprotocol(answer):
    return answer.set(b"Sec-WebSocket-Protocol", b"chat") if answer.status == 101 else answer


def gone(path):
    return lambda answer: answer.with_status(404) if path in answer.request and answer.status == 200 else answer


def everywhere_json(data):
    return re.sub(rb"Content-Type: [^\r\n]*", b"Content-Type: application/json", data)


REQUEST_LINE_ENDS = rb"(?<=HTTP/1.1)\r\n"
WEB = rb"^((GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH) |Host:)[^\n]*\n?"

FAULTS = [
    # HTTP
    Fault("an answer has the status of a failure", "T3", answer=lambda a: a.with_status(500) if b'"error"' in a.body else a),
    Fault("an answer has no type", "T3", answer=field(b"Content-Type")),
    Fault("an answer announces a byte too many", "T3", answer=too_long),
    Fault("an answer's body is dropped", "T3", answer=without_body),
    Fault("leave to send a body is not given", "T3", answer=lambda a: b"" if a.status == 100 else a),
    Fault("notifications get 204", "T3", answer=lambda a: a.with_status(204) if a.status == 200 and not a.body else a),
    Fault("any type is taken", "T4", up=everywhere_json),
    Fault("health has another type", "T7", answer=lambda a: a.set(b"Content-Type", b"text/plain") if b"health" in a.request else a),
    Fault("health does not say whether an origin may call", "T7", answer=lambda a: a.with_body(a.body.replace(b'"originAllowed":false', b'"originAllowed":true'))),
    Fault("the module is missing", "T8", answer=gone(b"client.mjs")),
    Fault("the script is no script", "T8", answer=lambda a: a.set(b"Content-Type", b"text/plain") if b"client.js" in a.request else a),
    Fault("a page has no tag", "T9", answer=field(b"ETag")),
    Fault("what is known is sent again", "T9", answer=known_again),
    Fault("an answer to HEAD has a body", "T9", answer=head_with_body),
    Fault("what is not there is a page", "T9", answer=status(404, 200)),
    Fault("there is no IPv6", "T10", ipv6=False),
    Fault("the echo is a text", "T11", answer=lambda a: a.set(b"Content-Type", b"text/plain") if b"echo" in a.request else a),
    Fault("the echo drops a byte", "T11", answer=lambda a: a.with_body(a.body[1:]) if b"echo" in a.request and a.body else a),
    Fault("a connection is for one request", "X2", answer=one_answer, closes=cut),
    Fault("a connection that is to be closed stays open", "X2", closes=never),
    Fault("a later answer overtakes", "X2", answer=Swapped()),
    Fault("hello is for anybody", "X1", answer=lambda a: a.with_body(a.body.replace(b"-32600", b"-32601"))),
    Fault("a folded line is joined", "L5", up=replaced(rb"\r\n[ \t]+", b" ")),
    Fault("a line ends with LF alone", "L5", up=replaced(rb"(?<!\r)\n", b"\r\n")),
    Fault("a control character is a space", "L5", up=replaced(rb"[\x00\x7f]", b" ")),
    Fault("the first of two lengths counts", "L5", up=replaced(rb"(Content-Length: \d+)\r\nContent-Length: \d+", rb"\1")),
    Fault("a length beside chunks is passed over", "L5", up=replaced(rb"Content-Length: \d+\r\n(Transfer-Encoding)", rb"\1")),
    Fault("a chunk size may have a prefix", "L5", up=replaced(rb"0x(\d)\r\n", rb"\1\r\n")),
    Fault("a fault does not end the connection", "L5", only="a-chunk", closes=never),
    Fault("a refusal does not say that the connection ends", "L5", answer=field(b"Connection", only=lambda a: a.status == 400)),
    # Limits and time
    Fault("a long request line has status 400", "N1", answer=status(414, 400)),
    Fault("a long head has status 400", "N1", answer=status(431, 400)),
    Fault("a long body has status 400", "N1", answer=status(413, 400)),
    Fault("a connection too many has status 500", "N1", server="crowd", answer=status(503, 500)),
    Fault("a long message closes with 1008", "N1", down_frame=close_code(1009, 1008)),
    Fault("empty fragments close with 1009", "N1", down_frame=close_code(1008, 1009)),
    Fault("a long line is answered and no more", "N1", ask="lines", closes=never),
    Fault("pings stay away", "N2", server="times", down_frame=dropped(PING)),
    Fault("binary is refused before its frame is looked at", "N2", down_frame=close_code(1002, 1003)),
    Fault("slow requests have status 400", "N3", server="times", answer=status(408, 400)),
    Fault("idle connections stay open", "N3", server="times", closes=never),
    Fault("a fatal answer is destroyed", "N3", server="times", answer=lambda a: None if a.status in (408, 413, 414) else a),
    # Access
    Fault("any host is served", "A1", up=replaced(rb"\r\nHost: [^\r\n]*", b"\r\nHost: localhost")),
    Fault("a host is not needed", "A1", up=lambda data: data if re.search(rb"\r\nHost:", data) else re.sub(REQUEST_LINE_ENDS, b"\r\nHost: localhost\r\n", data, count=1)),
    Fault("any origin may call", "A2", up=without(b"Origin")),
    Fault("no page may call", "A2", answer=lambda a: a.set(b"Access-Control-Allow-Origin")),
    Fault("any origin may read", "A3", answer=shared_with_all),
    Fault("answers do not vary", "A3", answer=field(b"Vary")),
    Fault("a preflight has status 200", "A3", answer=status(204, 200)),
    Fault("a preflight allows no fields", "A3", answer=field(b"Access-Control-Allow-Headers")),
    Fault("another site may embed", "A4", up=without(b"Sec-Fetch-Site")),
    Fault("types are guessed at", "A4", answer=field(b"X-Content-Type-Options")),
    Fault("anybody may embed", "A4", answer=field(b"Cross-Origin-Resource-Policy", b"cross-origin")),
    Fault("web requests are lines", "A5", ask="lines", up=replaced(WEB, b"\n", re.MULTILINE)),
    Fault("Host is a line", "A8", ask="lines", up=replaced(rb"^host:[^\n]*\n?", b"\n", re.MULTILINE | re.IGNORECASE)),
    Fault("small letters are methods", "A8", ask="lines", breaks=True, up=replaced(rb"^get ", b"GET ")),
    Fault("another method is not found", "A7", answer=status(405, 404)),
    Fault("what is allowed is not said", "A7", answer=field(b"Allow")),
    Fault("the version is not said", "A7", answer=field(b"Sec-WebSocket-Version")),
    Fault("a bad key is taken", "A7", ask="http", up=replaced(rb"Sec-WebSocket-Key: [^\r\n]*", b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")),
    Fault("the token is not asked for", "A6", server="guarded", up=replaced(REQUEST_LINE_ENDS, b"\r\nAuthorization: Bearer correct-horse\r\n")),
    Fault("the token is asked for without a scheme", "A6", server="guarded", answer=field(b"WWW-Authenticate")),
    Fault("the cookie is lost", "A6", server="guarded", answer=field(b"Set-Cookie")),
    # WebSocket
    Fault("a wrong key is proved", "T1", ask="http", answer=lambda a: a.set(b"Sec-WebSocket-Accept", b"AAAAAAAAAAAAAAAAAAAAAAAAAAA=") if a.status == 101 else a),
    Fault("an extension is chosen", "T2", ask="http", answer=plus_extension),
    Fault("the subprotocol is not chosen", "T2", ask="http", answer=field(b"Sec-WebSocket-Protocol")),
    Fault("another subprotocol is chosen", "T2", ask="http", answer=other_subprotocol),
    Fault("a server masks", "T1", ask="http", down_frame=down(None, lambda first, payload: frame(first, payload, mask=True))),
    Fault("a server sets a reserved bit", "T1", ask="http", down_frame=down(TEXT, lambda first, payload: frame(first | 0x40, payload))),
    Fault("a server's character is cut off", "T1", ask="http", down_frame=down(TEXT, cut_character)),
    Fault("a message is answered twice", "T1", ask="http", down_frame=down(TEXT, lambda first, payload: frame(first, payload) * 2)),
    Fault("pings are not answered", "T1", ask="http", down_frame=dropped(PONG)),
    Fault("pings are answered without their payload", "T1", ask="http", down_frame=down(PONG, lambda first, payload: frame(first))),
    Fault("binary is taken", "T1", ask="http", up_frame=up(lambda first, payload, mask: (first & 0xF0 | TEXT if first & 15 == BINARY else first, payload, mask))),
    Fault("a close has a code of its own", "T1", ask="http", down_frame=close_code(1001, 1000)),
    Fault("a close is not the end", "T1", ask="http", only="code-1000", closes=never),
    Fault("the end comes without a close", "T1", ask="http", breaks=True, down_frame=dropped(CLOSE)),
    Fault("reserved bits are taken", "L5", ask="http", up_frame=up(lambda first, payload, mask: (first & 0x8F, payload, mask))),
    Fault("unmasked frames are taken", "L5", ask="http", up_frame=up(lambda first, payload, mask: (first, payload, True))),
    Fault("unknown opcodes are taken", "L5", ask="http", up_frame=up(lambda first, payload, mask: (known(first), payload, mask))),
    Fault("bad UTF-8 is taken", "L5", ask="http", up_frame=up(lambda first, payload, mask: (first, valid(payload) if first & 15 == TEXT else payload, mask))),
    Fault("close codes are not looked at", "L5", ask="http", up_frame=up(lambda first, payload, mask: (first, b"\x03\xe8" if first & 15 == CLOSE else payload, mask))),
    Fault("bad UTF-8 closes with 1002", "L5", ask="http", down_frame=close_code(1007, 1002)),
    Fault("a fault closes with 1000", "L5", ask="http", down_frame=close_code(1002, 1000)),
    Fault("the echo of binary is text", "T11", ask="http", down_frame=down(BINARY, lambda first, payload: frame(FINAL | TEXT, payload))),
    # Lines
    Fault("blank lines are messages", "T5", ask="lines", up=replaced(rb"\n\n", b"\n!\n")),
    Fault("a last line without LF does not count", "T5", ask="lines", breaks=True, up=replaced(rb"(?<=\n)[^\n]+\Z", b"")),
    Fault("CR ends a line", "T5", ask="lines", up=replaced(rb"\r(?!\n)", b"\n")),
    Fault("a half-close is the end", "T6", ask="lines", breaks=True, ends=cut_both),
    Fault("bad UTF-8 is replaced", "L5", ask="lines", up=valid),
]
