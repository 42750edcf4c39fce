"""Inputs that broke other bridges and servers, sent as raw bytes to a running server; each ends with the server well."""

import json
import re
import socket
import struct
import unittest

from raw import BINARY, CLOSE, CONTINUATION, ECHO, ECHOED, PING, ROOT, TEXT, EdgeTestCase, frame


class HardInputs(EdgeTestCase):
    arguments = ("--limit", "message=1048576")

    # Handshake

    def test_ws_hs_01_upgrade_in_any_case(self):
        self.assertEchoes(self.ws(upgrade="WebSocket"))

    def test_ws_hs_03_connection_is_a_list(self):
        self.assertEchoes(self.ws(connection=("Connection: keep-alive, Upgrade",)))
        self.assertEchoes(self.ws(connection=("Connection: keep-alive", "Connection: upgrade")))

    def test_ws_hs_05_bad_upgrades(self):
        self.assertEqual(self.ws(upgrade="h2c").status, 400)
        self.assertEqual(self.ws(key="!!!!!!!!!!!!!!!!!!!!!!==").status, 400)
        old = self.ws(version="8")
        self.assertEqual(old.status, 426)
        self.assertIn(b"Sec-WebSocket-Version: 13", old.head)

    def test_ws_hs_07_a_plain_get(self):
        answer = self.http(
            f"GET /_bridge/ws HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nConnection: close\r\n\r\n".encode())
        self.assertTrue(answer.startswith(b"HTTP/1.1 426 "), answer)
        self.assertIn(b"Upgrade: websocket", answer)

    def test_ws_hs_09_frames_with_the_handshake(self):
        frames = [frame(TEXT, ECHO.replace(b"1", str(n).encode(), 1)) for n in range(3)]
        ws = self.ws(also=frames[0] + frames[1] + frames[2][:7])
        ws.socket.sendall(frames[2][7:])
        self.assertEqual([ws.next()[1] for _ in range(3)], [ECHOED.replace(b"1", str(n).encode(), 1) for n in range(3)])

    # Framing

    def test_ws_fr_01_a_ping_between_fragments(self):
        ws = self.ws()
        ws.socket.sendall(frame(TEXT, ECHO[:10], fin=False) + frame(PING) + frame(CONTINUATION, ECHO[10:]))
        self.assertEqual(ws.next(), (10, b""))
        self.assertEqual(ws.next(), (TEXT, ECHOED))

    def test_ws_fr_03_control_frames_and_interleaving(self):
        for data in (frame(PING, fin=False), frame(CLOSE, b"\x03"), frame(TEXT, b"{", fin=False) + frame(TEXT, b"}")):
            ws = self.ws()
            ws.socket.sendall(data)
            self.assertEqual(ws.close_code(), 1002)

    def test_ws_fr_05_an_unmasked_frame(self):
        ws = self.ws()
        ws.socket.sendall(frame(TEXT, b"hi", mask=False))
        self.assertEqual(ws.close_code(), 1002)

    def test_ws_fr_07_absurd_lengths(self):
        for length, codes in ((0xFFFFFFFF00000000, (1002,)), (0x7FFFFFFFFFFFFFFF, (1009, 1002))):
            ws = self.ws()
            ws.socket.sendall(frame(BINARY, b"", length=length))
            self.assertIn(ws.close_code(), codes)

    def test_ws_fr_09_a_flood_of_tiny_fragments(self):
        before = self.memory()
        ws = self.ws()
        ws.socket.sendall(frame(TEXT, b"[", fin=False) + frame(CONTINUATION, b" ", fin=False) * 131_000)
        ws.socket.sendall(frame(PING, b"still"))
        self.assertEqual(ws.next(), (10, b"still"))
        self.assertLess(self.memory() - before, 16 << 10)

    def test_ws_fr_11_fragments_over_the_limit(self):
        ws = self.ws()
        ws.socket.sendall(frame(TEXT, b"[" + b" " * 700_000, fin=False) + frame(CONTINUATION, b" " * 700_000, fin=False))
        self.assertEqual(ws.close_code(), 1009)

    def test_ws_fr_13_pieces_that_look_like_headers(self):
        text = json.dumps({"requestId": 1, "eventName": "conformance.echo", "a": "\u0001~" * 50_000}).encode()
        ws = self.ws()
        data = frame(TEXT, text)
        for start in range(0, len(data), 1460):
            ws.socket.sendall(data[start:start + 1460])
        self.assertEqual(json.loads(ws.next()[1])["response"], {"a": "\u0001~" * 50_000})

    # Closing

    def test_ws_cl_01_bad_close_codes_and_reasons(self):
        for code in (0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999):
            ws = self.ws()
            ws.socket.sendall(frame(CLOSE, struct.pack("!H", code)))
            self.assertEqual(ws.close_code(), 1002, code)
        ws = self.ws()
        ws.socket.sendall(frame(CLOSE, struct.pack("!H", 1000) + bytes.fromhex("CEBAE1BDB9CF83CEBCCEB5EDA080")))
        self.assertIn(ws.close_code(), (1007, 1002))

    def test_ws_cl_03_pings_while_a_handler_works(self):
        ws = self.ws()
        ws.socket.sendall(frame(TEXT, b'{"requestId":1,"eventName":"conformance.wait","ms":60000}'))
        for n in range(5):
            ws.socket.sendall(frame(PING, b"%d" % n))
            self.assertEqual(ws.next(), (10, b"%d" % n))

    # Compression

    def test_ws_pmd_01_and_03_every_offer_is_declined(self):
        for offer in ("permessage-deflate; client_max_window_bits", "permessage-deflate; client_max_window_bits=10",
                      "permessage-deflate; server_max_window_bits=9, permessage-deflate", "permessage-deflate; foo=1",
                      ";;,=\"", "x" * 500):
            self.assertEchoes(self.ws(f"Sec-WebSocket-Extensions: {offer}"))

    def test_ws_pmd_05_compressed_all_the_same(self):
        ws = self.ws("Sec-WebSocket-Extensions: permessage-deflate")
        ws.socket.sendall(frame(TEXT, b"\xaaV*\xcb", rsv=4))
        self.assertEqual(ws.close_code(), 1002)

    # JSON

    def test_json_01_trailing_commas(self):
        for text in ('{"jsonrpc":"2.0","id":1,"method":"ping",}', "[1,2,]"):
            self.assertEqual(self.rpc(text)["error"]["code"], -32700)

    def test_json_03_lone_surrogates(self):
        for text in ("\\udfff", "\\ud800", "\\udc00\\ud800", "\\ud83d\\uffff"):
            answer = self.post(b'{"requestId":1,"eventName":"conformance.echo","a":"%s"}' % text.encode())
            body = answer.split(b"\r\n\r\n", 1)[1]
            self.assertEqual(json.loads(body)["response"]["a"], json.loads(f'"{text}"'))
            body.decode()
        typed = self.rpc('{"requestId":1,"eventName":"conformance.typed","id":1,"price":1,"tags":["\\ud800"]}')
        self.assertEqual(typed["response"]["tags"], ["\ufffd"])

    def test_json_05_broken_escapes(self):
        for text in ('"\\u005g"', '"\\ud83d\\u', '{"requestId":1,"eventName":"x\\ud83d\\u'):
            self.assertEqual(self.rpc(text)["error"]["code"], -32700)

    def test_json_07_ids_keep_their_digits(self):
        for number in (b"18446098363113800555", b"9007199254740993", b"123456789012345678901234567890", b"1.50"):
            answer = self.post(b'{"requestId":%s,"eventName":"conformance.echo"}' % number)
            self.assertTrue(answer.endswith(b'{"requestId":%s,"response":{}}' % number), answer)
            answer = self.post(b'{"jsonrpc":"2.0","id":%s,"method":"sum","params":[1]}' % number)
            self.assertIn(b'"id":%s' % number, answer)

    def test_json_09_unusual_numbers(self):
        for number in ("-0", "-0.0", "0e1", "1E-400", "1e400"):
            answer = self.post(b'{"requestId":1,"eventName":"conformance.echo","n":%s}' % number.encode())
            self.assertTrue(answer.endswith(b'{"n":%s}}' % number.encode()), answer)
        typed = self.rpc('{"requestId":1,"eventName":"conformance.typed","id":1,"price":1e400,"tags":[]}')
        self.assertEqual((typed["error"]["code"], typed["error"]["data"]["path"]), (-32602, "$.price"))

    def test_json_11_names_that_differ_in_normalisation(self):
        answer = self.rpc('{"requestId":1,"eventName":"conformance.echo","\\u00e9":1,"e\\u0301":2}')
        self.assertEqual(answer["response"], {"\u00e9": 1, "e\u0301": 2})

    def test_json_13_awkward_characters(self):
        text = "\x00\x1f\x7f\u2028/\"\\\U0001f600"
        line = self.lines(json.dumps({"requestId": 1, "eventName": "conformance.echo", "a": text}).encode())
        self.assertEqual(line.count(b"\n"), 1)
        self.assertFalse(any(byte < 0x20 for byte in line[:-1]))
        self.assertEqual(json.loads(line)["response"]["a"], text)

    # JSON-RPC

    def test_rpc_01_only_a_missing_id_is_a_notification(self):
        for number in ("0", '""', "null"):
            answer = self.rpc('{"jsonrpc":"2.0","method":"sum","params":[1],"id":%s}' % number)
            self.assertEqual(answer, {"jsonrpc": "2.0", "result": 1, "id": json.loads(number)})

    def test_rpc_03_and_05_no_messages(self):
        for text in ("[]", "123", '"str"', "true", "null"):
            answer = self.rpc(text)
            self.assertEqual((answer["error"]["code"], answer["id"]), (-32600, None), text)

    def test_rpc_07_other_versions(self):
        for version in ('"2.1"', "1", "2.0", '"go-ethereum"'):
            answer = self.rpc('{"jsonrpc":%s,"method":"sum","params":[1],"id":1}' % version)
            self.assertEqual(answer["error"]["code"], -32600, version)
        self.assertEqual(self.rpc('{"method":"sum","params":[1],"id":1}')["error"]["code"], -32600)

    def test_rpc_09_null_params(self):
        answer = self.rpc('{"jsonrpc":"2.0","id":3,"method":"get_data","params":null}')
        self.assertEqual(answer, {"jsonrpc": "2.0", "result": ["hello", 5], "id": 3})

    def test_rpc_11_a_slow_one_blocks_nobody(self):
        ws = self.ws()
        for number, wait in ((1, 60), (2, 30), (3, 0)):
            ws.socket.sendall(frame(TEXT, b'{"jsonrpc":"2.0","id":%d,"method":"conformance.wait","params":{"ms":%d}}' % (number, wait)))
        answers = [json.loads(ws.next()[1]) for _ in range(3)]
        self.assertEqual({a["id"]: a["result"]["waited"] for a in answers}, {1: 60, 2: 30, 3: 0})

    def test_rpc_13_broken_json_leaves_the_connection_usable(self):
        broken = b'{"jsonrpc":"2.0","method":"foobar, "params":"bar","baz]'
        answer = self.rpc(broken)
        self.assertEqual((answer["error"]["code"], answer["id"]), (-32700, None))
        ws = self.ws()
        ws.socket.sendall(frame(TEXT, broken) + frame(TEXT, ECHO))
        self.assertEqual(json.loads(ws.next()[1])["error"]["code"], -32700)
        self.assertEqual(ws.next(), (TEXT, ECHOED))
        self.assertEqual(self.lines(broken + b"\n" + ECHO + b"\n").splitlines()[1], ECHOED)

    def test_rpc_15_names_of_every_object(self):
        for name in ("__proto__", "constructor", "toString", "hasOwnProperty"):
            answer = self.rpc(json.dumps({"requestId": "r", "eventName": name}))
            self.assertEqual((answer["requestId"], answer["error"]["code"]), ("r", -32601))

    # Lines

    def test_nd_01_one_byte_a_write(self):
        line = '{"requestId":1,"eventName":"conformance.echo","a":"— 😀"}\n'.encode()
        with socket.create_connection(("127.0.0.1", self.server.lines_port), timeout=20) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for byte in line:
                connection.sendall(bytes([byte]))
            self.assertEqual(json.loads(connection.makefile("rb").readline())["response"], {"a": "— 😀"})

    def test_nd_03_crlf_and_blank_lines(self):
        self.assertEqual(self.lines(b"\r\n\n" + ECHO + b"\r\n\r\n\n" + ECHO + b"\r\n"), (ECHOED + b"\n") * 2)

    def test_nd_05_sizes_and_ends(self):
        self.assertEqual(self.lines(ECHO + b"\n" + ECHO), (ECHOED + b"\n") * 2)
        large = json.dumps({"requestId": 1, "eventName": "conformance.echo", "a": "x" * 1_000_000}).encode()
        self.assertEqual(len(json.loads(self.lines(large + b"\n"))["response"]["a"]), 1_000_000)
        before = self.memory()
        with socket.create_connection(("127.0.0.1", self.server.lines_port), timeout=20) as connection:
            try:
                for _ in range(100):
                    connection.sendall(b"x" * 1_000_000)
            except (BrokenPipeError, ConnectionResetError):
                pass
            try:
                self.assertEqual(json.loads(connection.makefile("rb").readline())["error"]["code"], -32600)
            except ConnectionResetError:
                pass
        self.assertLess(self.memory() - before, 16 << 10)

    # HTTP

    def test_http_01_two_lengths(self):
        for first, second in ((36, 0), (3, 1)):
            answer = self.http(
                f"POST /_bridge/rpc HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {first}\r\nContent-Length: {second}\r\n\r\n"
                f"GET /_bridge/health HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n\r\n".encode())
            self.assertTrue(answer.startswith(b"HTTP/1.1 400 "), answer)
            self.assertEqual(answer.count(b"HTTP/1.1 "), 1)

    def test_http_03_no_crlf_after_a_chunk(self):
        answer = self.http(
            f"POST /_bridge/rpc HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nContent-Type: application/json\r\n"
            f"Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}XX0\r\n\r\n".encode())
        self.assertTrue(answer.startswith(b"HTTP/1.1 400 "), answer)
        self.assertEqual(answer.count(b"HTTP/1.1 "), 1)

    def test_http_05_expect_100_continue(self):
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as connection:
            connection.sendall(
                f"POST /_bridge/rpc HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(ECHO)}\r\nExpect: 100-continue\r\n\r\n".encode())
            self.assertEqual(connection.recv(65536), b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.sendall(ECHO)
            self.assertTrue(connection.recv(65536).endswith(ECHOED))

    def test_http_07_bytes_are_not_characters(self):
        body = '{"requestId":1,"eventName":"conformance.echo","a":"😀é"}'.encode()
        for name in ("José", "Jos\u00e9 \u00ff"):
            answer = self.post(body, f"X-Name: {name}")
            self.assertEqual(json.loads(answer.split(b"\r\n\r\n", 1)[1])["response"], {"a": "😀é"})
        answer = self.post(body, "X-Name: " + "é😀".encode().decode("latin-1"))
        self.assertEqual(json.loads(answer.split(b"\r\n\r\n", 1)[1])["response"], {"a": "😀é"})


class Coverage(unittest.TestCase):
    """Every known hard input, and every fault that users of such bridges met, is named by a test."""

    INPUTS = {
        "ws-hs": (1, 3, 5, 7, 9), "ws-fr": (1, 3, 5, 7, 9, 11, 13), "ws-cl": (1, 3), "ws-pmd": (1, 3, 5),
        "json": (1, 3, 5, 7, 9, 11, 13), "rpc": (1, 3, 5, 7, 9, 11, 13, 15), "nd": (1, 3, 5), "http": (1, 3, 5, 7),
    }

    def test_hard_inputs(self):
        names = " ".join(dir(HardInputs))
        for area, numbers in self.INPUTS.items():
            prefix = area.replace("-", "_")
            for number in numbers:
                self.assertRegex(names, rf"test_{prefix}_([0-9]{{2}}_and_)?{number:02}_", f"{area}-{number:02}")

    def test_faults_that_users_met(self):
        text = "".join(path.read_text() for path in (ROOT / "Tests").rglob("*.mjs"))
        named = {int(number) for number in re.findall(r"\bU([0-9]+)\b", text)}
        self.assertEqual([n for n in [*range(1, 19), 22, 23] if n not in named], [])
