"""`curl` and `nc`, as a person would use them."""

import json
import subprocess
import tempfile

from support import BridgeTestCase


def run(*arguments, data=b""):
    return subprocess.run(arguments, input=data, capture_output=True, timeout=30)


class Curl(BridgeTestCase):
    def curl(self, *arguments, data=b""):
        return run("curl", "-sS", "-m", "20", *arguments, self.server.http, data=data).stdout.decode()

    def test_an_event(self):
        answer = self.curl(
            "-H", "Content-Type: application/json", "-d", '{"requestId":"r1","eventName":"getRandomTitle"}')
        self.assertRegex(answer, r'^\{"requestId":"r1","response":"Title: [0-9A-F-]{36}"\}$')

    def test_a_notification_has_an_empty_body_and_200(self):
        answer = self.curl(
            "-w", "%{http_code}", "-H", "Content-Type: application/json", "-d", '{"eventName":"getRandomTitle"}')
        self.assertEqual(answer, "200")

    def test_a_body_of_two_megabytes_after_100_continue(self):
        body = json.dumps({"requestId": 1, "eventName": "conformance.echo", "text": "x" * 2_000_000})
        with tempfile.NamedTemporaryFile() as file:
            file.write(body.encode())
            file.flush()
            answer = self.curl(
                "-H", "Content-Type: application/json", "-H", "Expect: 100-continue", "--data-binary", f"@{file.name}")
        self.assertEqual(json.loads(answer)["response"]["text"], "x" * 2_000_000)

    def test_a_chunked_body_from_standard_input(self):
        answer = self.curl(
            "-H", "Content-Type: application/json", "-H", "Transfer-Encoding: chunked", "--data-binary", "@-",
            data=b'{"requestId":1,"eventName":"conformance.echo","a":"b"}')
        self.assertEqual(answer, '{"requestId":1,"response":{"a":"b"}}')

    def test_a_form_is_refused(self):
        answer = self.curl(
            "-o", "/dev/null", "-w", "%{http_code}", "-d", '{"requestId":"r1","eventName":"getRandomTitle"}')
        self.assertEqual(answer, "415")

    def test_health(self):
        answer = run("curl", "-sS", f"http://127.0.0.1:{self.server.port}/_bridge/health").stdout
        health = json.loads(answer)
        self.assertEqual((health["status"], health["protocol"], health["originAllowed"]), ("ok", 1, True))


class Netcat(BridgeTestCase):
    def test_lines(self):
        answer = run(
            "nc", "-N", "127.0.0.1", str(self.server.lines_port),
            data=b'{"requestId":1,"eventName":"conformance.echo","a":1}\r\n\n{"requestId":2,"eventName":"conformance.echo"}',
        ).stdout
        self.assertEqual(answer, b'{"requestId":1,"response":{"a":1}}\n{"requestId":2,"response":{}}\n')

    def test_http_sent_to_the_lines_port_runs_nothing(self):
        answer = run(
            "nc", "-N", "127.0.0.1", str(self.server.lines_port),
            data=b'POST / HTTP/1.1\r\nHost: x\r\n\r\n{"requestId":1,"eventName":"conformance.echo"}\n').stdout
        self.assertNotIn(b"response", answer)
