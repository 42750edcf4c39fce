"""A `bridgehead serve` of the build under test, for clients that know nothing of Bridgehead."""

import json
import os
import pathlib
import socket
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXECUTABLE = os.environ.get("BRIDGEHEAD") or str(ROOT / ".build/debug/bridgehead")
# The examples of the JSON-RPC 2.0 specification, section 7, in its order.
EXAMPLES = json.loads((pathlib.Path(__file__).parent / "json-rpc-examples.json").read_text())


class Serve:
    """One server on free ports, that may open `files` descriptors and writes its errors to `errors`; ended by `stop`, which
    gives its exit code."""

    def __init__(self, *arguments, files=None, errors=subprocess.DEVNULL):
        limited = ["sh", "-c", f'ulimit -n {files}; exec "$0" "$@"'] if files else []
        self.process = subprocess.Popen(
            [*limited, EXECUTABLE, "serve", "--port", "0", "--lines", "0", *arguments],
            stdout=subprocess.PIPE, stderr=errors, text=True)
        self.port = self.lines_port = None
        for line in self.process.stdout:
            if line.startswith("Lines on port "):
                self.lines_port = int(line.split()[-1])
            if line.startswith("Listening on port "):
                self.port = int(line.split()[-1])
                break
        if self.port is None:
            raise RuntimeError(f"serve ended with {self.process.wait()}")

    @property
    def http(self):
        return f"http://127.0.0.1:{self.port}/_bridge/rpc"

    @property
    def websocket(self):
        return f"ws://127.0.0.1:{self.port}/_bridge/ws"

    def stop(self):
        self.process.terminate()
        code = self.process.wait(timeout=15)
        self.process.stdout.close()
        return code


class BridgeTestCase(unittest.TestCase):
    """A test case with a server of its own class, which must still be well at the end."""

    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Serve(*cls.arguments)

    @classmethod
    def tearDownClass(cls):
        code = cls.server.stop()
        if code != 0:
            raise AssertionError(f"serve ended with {code}")

    def lines(self, data):
        """What the lines port sends back for `data` and the end of input."""
        with socket.create_connection(("127.0.0.1", self.server.lines_port), timeout=15) as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            received = b""
            while chunk := connection.recv(65536):
                received += chunk
        return received

    def assertSameAnswer(self, text, expected):
        """`text` is the JSON of `expected`, `error.data` aside; a batch may be answered in any order."""
        if expected is None:
            self.assertEqual(text.strip(), "")
            return
        answer = json.loads(text)
        for one in answer if isinstance(answer, list) else [answer]:
            if "error" in one:
                one["error"].pop("data", None)
        if isinstance(expected, list):
            self.assertIsInstance(answer, list)
            self.assertCountEqual(map(canonical, answer), map(canonical, expected))
        else:
            self.assertEqual(canonical(answer), canonical(expected))


def canonical(value):
    return json.dumps(value, sort_keys=True)
