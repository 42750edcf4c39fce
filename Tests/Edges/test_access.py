"""Who may talk to the server, and how it refuses (PROTOCOL.md, A): every rule from outside, by status and fields."""

import os

from raw import ECHO, ECHOED, HTTP, TEXT, EdgeTestCase, Serve, call, frame

HEALTH = "/_bridge/health"


def get(target, *fields, host="localhost", method="GET"):
    return call(b"", *fields, target=target, method=method, host=host, kind=None)


class Access(EdgeTestCase):
    arguments = ("--allow-host", "bridge.test", "--allow-origin", "null", "--allow-origin", "capacitor://localhost",
                 "--allow-origin", "https://app.test")

    def assertStatus(self, status, data):
        with self.subTest(data=data[:120]):
            self.assertEqual(self.ask(data)[0], status)

    def test_host(self):
        for host in ("localhost", "LocalHost:1", "a.b.localhost", "127.0.0.1", "127.9.8.7:99", "[::1]", "[::1]:80", "bridge.test"):
            self.assertStatus(200, get(HEALTH, host=host))
        for host in ("example.com", "localhost.evil.test", "127.0.0.1.evil.test", "evil-localhost", "192.168.0.1", "[::2]",
                     "bridge.test.evil.test", "128.0.0.1", "0.0.0.0"):
            self.assertStatus(403, get(HEALTH, host=host))
        self.assertStatus(400, get(HEALTH, host=None))
        self.assertStatus(400, get(HEALTH, "Host: localhost"))
        self.assertStatus(400, get(HEALTH, host="a b"))
        self.assertStatus(403, get("http://example.com" + HEALTH))
        self.assertStatus(200, get("http://localhost" + HEALTH, host="example.com"))

    def test_origin(self):
        for origin in ("http://localhost:3000", "https://127.0.0.1", "http://[::1]:1", "null", "capacitor://localhost", "https://app.test"):
            self.assertStatus(200, call(ECHO, f"Origin: {origin}"))
            self.assertEqual(self.ws(f"Origin: {origin}").status, 101)
        for origin in ("https://evil.test", "http://localhost.evil.test", "file://", "capacitor://other", "https://app.test:444",
                       "http://app.test", "https://app.test.evil.test", "ftp://localhost", "*", "localhost"):
            self.assertStatus(403, call(ECHO, f"Origin: {origin}"))
            self.assertEqual(self.ws(f"Origin: {origin}").status, 403, origin)
            self.assertEqual(self.ws(f"Origin: {origin}", path="/_bridge/echo").status, 403, origin)
            # Refused before the body is read, or could be.
            self.assertStatus(403, call(b"", f"Origin: {origin}")[:-2].replace(b"Content-Length: 0", b"Content-Length: 9") + b"\r\n")
            status, head, body = self.ask(get(HEALTH, f"Origin: {origin}"))
            self.assertEqual(status, 200)
            self.assertIn(b'"originAllowed":false', body)
            self.assertIn("access-control-allow-origin: " + origin.lower(), head)

    def test_shared_with_allowed_origins_on_errors_too(self):
        allowed = "Origin: https://app.test"
        for data, status in ((call(ECHO, allowed), 200), (call(ECHO, allowed, kind="text/plain"), 415),
                             (get("/_bridge/rpc", allowed), 405), (get(HEALTH, allowed), 200)):
            with self.subTest(data=data[:60]):
                got, head, _ = self.ask(data)
                self.assertEqual(got, status)
                self.assertIn("access-control-allow-origin: https://app.test\r\n", head + "\r\n")
                self.assertRegex(head, r"vary:.*origin")
                self.assertNotIn("allow-credentials", head)
        self.assertNotIn("access-control", self.ask(get("/", allowed))[1])
        self.assertNotIn("access-control", self.ask(call(ECHO, "Origin: https://evil.test"))[1])
        status, head, _ = self.ask(get("/_bridge/rpc", allowed, "Access-Control-Request-Method: POST", method="OPTIONS"))
        self.assertEqual(status, 204)
        for field in ("access-control-allow-methods: ", "access-control-allow-headers: content-type, authorization",
                      "access-control-max-age: 600"):
            self.assertIn(field, head)

    def test_the_clients_source_is_for_every_page(self):
        for name in ("client.js", "client.mjs", "pending.mjs", "client.d.ts"):
            for fields in ((), ("Origin: https://evil.test",), ("Origin: file://",), ("Origin: https://app.test",),
                           ("Origin: https://evil.test", "Sec-Fetch-Site: cross-site")):
                with self.subTest(name=name, fields=fields):
                    status, head, body = self.ask(get(f"/_bridge/{name}", *fields))
                    self.assertEqual(status, 200)
                    self.assertTrue(body)
                    self.assertRegex(head, r"access-control-allow-origin: \*(\r|$)")
                    self.assertNotIn("allow-credentials", head)
                    self.assertEqual(self.ask(get(f"/_bridge/{name}", *fields, host="evil.test"))[0], 403)

    def test_fetch_metadata(self):
        cross = "Sec-Fetch-Site: cross-site"
        for target in ("/", "/pages/nope", "/_bridge/echo"):
            self.assertStatus(403, get(target, cross, "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"))
        self.assertStatus(403, call(ECHO, cross))
        self.assertStatus(200, call(ECHO, cross, "Origin: https://app.test"))
        for target in (HEALTH, "/_bridge/client.js", "/_bridge/client.mjs"):
            self.assertStatus(200, get(target, cross, "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"))
        self.assertStatus(200, get("/", cross, "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"))
        self.assertStatus(403, get("/", cross, "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"))

    def test_protective_fields(self):
        for target, policy in (("/", "same-origin"), (HEALTH, "same-origin"), ("/nope", "same-origin"),
                               ("/_bridge/client.js", "cross-origin"), ("/_bridge/client.mjs", "cross-origin")):
            _, head, _ = self.ask(get(target))
            self.assertIn("x-content-type-options: nosniff", head, target)
            self.assertIn(f"cross-origin-resource-policy: {policy}", head, target)

    def test_methods(self):
        for method, target, allowed in (("GET", "/_bridge/rpc", "post"), ("PUT", "/_bridge/rpc", "post"), ("POST", HEALTH, "get"),
                                        ("DELETE", "/", "get"), ("POST", "/_bridge/client.js", "get"), ("TRACE", "/", "get"),
                                        ("POST", "/_bridge/ws", "get"), ("BREW", "/", "get")):
            with self.subTest(method=method, target=target):
                status, head, _ = self.ask(call(b"", method=method, target=target, kind=None))
                self.assertEqual(status, 405)
                self.assertRegex(head, rf"allow:.*{allowed}")

    def test_paths_that_leave_the_root(self):
        for target in ("/..", "/../etc/passwd", "/%2e%2e/etc/passwd", "/pages/..%2f..%2fetc/passwd", "/.git/config", "/pages/.x",
                       "/%2egit", "//etc/passwd", "/a\\..\\b", "/%00", "/pages/%", "/pages/index.html%00.js", "/_bridge/../pages/"):
            with self.subTest(target=target):
                self.assertIn(self.ask(get(target))[0], (400, 404))

    def test_lines_that_a_web_page_can_send(self):
        for line in ("GET / HTTP/1.1", "POST /_bridge/rpc HTTP/1.1", "Host: localhost", "host:x", "OPTIONS *"):
            with self.subTest(line=line):
                self.assertEqual(self.lines(f"{line}\r\n".encode() + ECHO + b"\n"), b"")
        # What came before it is answered.
        self.assertEqual(self.lines(ECHO + b"\nGET / HTTP/1.1\r\n" + ECHO + b"\n"), ECHOED + b"\n")

    def test_malformed_http(self):
        head = b"POST /_bridge/rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        inner = b"GET /_bridge/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for data in (
                head + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                head + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", head + b"Transfer-Encoding: chunked, identity\r\n\r\n",
                head + b"Content-Length: +2\r\n\r\n{}", head + b"Content-Length: 0x2\r\n\r\n{}", head + b"Content-Length: \r\n\r\n",
                head + b"Content-Length: 99999999999999999999999999\r\n\r\n", head + b"Content-Length: -1\r\n\r\n",
                head + b"X: a\r\n b\r\nContent-Length: 0\r\n\r\n", head + b"X : a\r\n\r\n", head + b"X\r\n\r\n",
                head + b": a\r\n\r\n", head + b"X: a\x00b\r\n\r\n", head + b"X: a\rb\r\n\r\n", head + b"X: a\nY: b\r\n\r\n",
                head + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n", head + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
                head + b"Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n", head + b"Transfer-Encoding: chunked\r\n\r\n\r\n",
                head + b"Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n",
                b"GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET / HTTP/1.1 \r\nHost: localhost\r\n\r\n",
                b"GET / http/1.1\r\nHost: localhost\r\n\r\n", b"GET /\r\nHost: localhost\r\n\r\n", b"G\x00T / HTTP/1.1\r\n\r\n",
                b"GET nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", b"GET / HTTP/1.1\nHost: localhost\n\n"):
            with self.subTest(data=data[-60:]):
                with HTTP(self.server.port, data + inner) as connection:
                    status, answer, _ = connection.next()
                    self.assertIn(status, (400, 413, 501), answer)
                    self.assertIn("connection: close", answer)
                    # The request that hides behind it is not run.
                    self.assertTrue(connection.ended())
        for version in (b"2.0", b"3.1", b"0.9"):
            self.assertStatus(505, b"GET / HTTP/" + version + b"\r\nHost: localhost\r\n\r\n")
        # A higher minor version is the highest one that is known (RFC 9110, section 2.5).
        for version in (b"1.2", b"1.9"):
            with HTTP(self.server.port, b"GET /_bridge/health HTTP/" + version + b"\r\nHost: localhost\r\n\r\n") as connection:
                status, head, _ = connection.next()
                self.assertEqual((status, "connection: close" in head), (200, False))
        self.assertStatus(417, call(ECHO, "Expect: the-unexpected"))

    def test_whoever_can_reach_it_from_elsewhere_needs_the_token(self):
        os.environ["BRIDGEHEAD_TOKEN"] = "correct-horse"
        try:
            server = Serve()
        finally:
            del os.environ["BRIDGEHEAD_TOKEN"]
        try:
            def ask(data):
                with HTTP(server.port, data) as connection:
                    return connection.next()
            status, head, _ = ask(call(ECHO))
            self.assertEqual(status, 401)
            self.assertIn("www-authenticate: bearer", head)
            for wrong in ("Bearer correct-hors", "Bearer correct-horsee", "Basic correct-horse", "correct-horse", "Bearer"):
                self.assertEqual(ask(call(ECHO, f"Authorization: {wrong}"))[0], 401, wrong)
            self.assertEqual(ask(call(ECHO, "Authorization: Bearer correct-horse"))[2], ECHOED)
            self.assertEqual(ask(call(ECHO, target="/_bridge/rpc?token=correct-horse"))[0], 401)
            self.assertEqual(ask(get("/_bridge/client.js?token=correct-horse"))[0], 200)
            self.assertEqual(ask(get("/_bridge/client.js?token=correct-horse", "Origin: https://evil.test"))[0], 403)
            status, head, _ = ask(get("/?token=correct-horse", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"))
            self.assertIn(status, (302, 303, 307))
            self.assertRegex(head, r"set-cookie:.*samesite=strict")
            self.assertNotRegex(head, r"location:.*token")
        finally:
            self.assertEqual(server.stop(), 0)
