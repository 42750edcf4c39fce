"""Section 7 of the JSON-RPC 2.0 specification, to the letter (`error.data` aside), over every transport."""

import json
import urllib.request

from websockets.sync.client import connect

from support import EXAMPLES, BridgeTestCase

# Sent after an example: its answer shows that nothing else was answered before it.
FENCE = '{"jsonrpc":"2.0","method":"sum","params":[1],"id":"fence"}'


class JSONRPCExamples(BridgeTestCase):
    def test_over_http(self):
        for example in EXAMPLES:
            with self.subTest(example["name"]):
                request = urllib.request.Request(
                    self.server.http, example["send"].encode(), {"Content-Type": "application/json"})
                with urllib.request.urlopen(request, timeout=15) as response:
                    self.assertEqual(response.status, 200)
                    self.assertSameAnswer(response.read().decode(), example["expect"])

    def test_over_websocket(self):
        with connect(self.server.websocket) as socket:
            for example in EXAMPLES:
                with self.subTest(example["name"]):
                    socket.send(example["send"])
                    socket.send(FENCE)
                    received = []
                    while (message := socket.recv(timeout=15)) != '{"jsonrpc":"2.0","result":1,"id":"fence"}':
                        received.append(message)
                        self.assertLess(len(received), 2, received)
                    self.assertSameAnswer("".join(received), example["expect"])

    def test_over_lines(self):
        for example in EXAMPLES:
            with self.subTest(example["name"]):
                answer = self.lines(example["send"].encode() + b"\n").decode()
                self.assertLessEqual(answer.count("\n"), 1)
                self.assertSameAnswer(answer, example["expect"])

    def test_all_examples_on_one_lines_connection(self):
        answers = self.lines("".join(example["send"] + "\n" for example in EXAMPLES).encode()).decode().splitlines()
        expected = [example["expect"] for example in EXAMPLES if example["expect"] is not None]
        self.assertEqual(len(answers), len(expected))
        for answer, wanted in zip(answers, expected):
            self.assertSameAnswer(json.dumps(json.loads(answer)), wanted)
