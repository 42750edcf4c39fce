"""Python's `websockets`, `jsonrpclib-pelix`, `jsonrpc-websocket` and `aiorpcx` as they come."""

import asyncio
import json
import unittest

import aiorpcx
import jsonrpclib
from jsonrpc_websocket import Server as WebSocketServer
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from support import BridgeTestCase


class Websockets(BridgeTestCase):
    def test_an_event(self):
        with connect(self.server.websocket, subprotocols=["bridgehead.1"]) as socket:
            self.assertEqual(socket.subprotocol, "bridgehead.1")
            socket.send('{"requestId":"r1","eventName":"getRandomTitle"}')
            answer = json.loads(socket.recv(timeout=15))
        self.assertEqual(list(answer), ["requestId", "response"])
        self.assertEqual(answer["requestId"], "r1")
        self.assertRegex(answer["response"], r"^Title: [0-9A-F-]{36}$")

    def test_compression_is_declined_and_the_session_works(self):
        with connect(self.server.websocket, compression="deflate") as socket:
            self.assertNotIn("Sec-WebSocket-Extensions", socket.response.headers)
            self.assertIsNone(socket.subprotocol)
            socket.send('{"requestId":1,"eventName":"conformance.echo","text":"é\\ud800"}')
            self.assertEqual(socket.recv(timeout=15), '{"requestId":1,"response":{"text":"é\\ud800"}}')

    def test_a_message_in_fragments(self):
        with connect(self.server.websocket) as socket:
            socket.send(iter(['{"requestId":1,', '"eventName":"conformance.echo"', ',"a":[1,2]}']))
            self.assertEqual(socket.recv(timeout=15), '{"requestId":1,"response":{"a":[1,2]}}')

    def test_binary_closes_with_1003(self):
        with connect(self.server.websocket) as socket:
            socket.send(b"{}")
            with self.assertRaises(ConnectionClosedError) as caught:
                socket.recv(timeout=15)
            self.assertEqual(caught.exception.rcvd.code, 1003)

    def test_a_thousand_concurrent_requests_each_get_their_own(self):
        with connect(self.server.websocket) as socket:
            for n in range(1000):
                socket.send(json.dumps({"requestId": n, "eventName": "conformance.wait", "ms": n * 7919 % 50}))
            answers = [json.loads(socket.recv(timeout=15)) for _ in range(1000)]
        self.assertEqual(
            {a["requestId"]: a["response"]["waited"] for a in answers}, {n: n * 7919 % 50 for n in range(1000)})

    def test_a_ping_is_answered_while_a_handler_waits(self):
        with connect(self.server.websocket) as socket:
            socket.send('{"requestId":1,"eventName":"conformance.wait","ms":60000}')
            for _ in range(5):
                self.assertTrue(socket.ping().wait(timeout=15))
            socket.send('{"eventName":"$/cancelRequest","id":1}')
            self.assertEqual(json.loads(socket.recv(timeout=15))["error"]["code"], -32800)


class JSONRPCLib(BridgeTestCase):
    def test_calls_notifications_batches_and_failures(self):
        client = jsonrpclib.ServerProxy(self.server.http)
        self.assertEqual(client.subtract(42, 23), 19)
        self.assertEqual(client.subtract(minuend=42, subtrahend=23), 19)
        self.assertIsNone(client._notify.update(1, 2, 3))
        with self.assertRaises(jsonrpclib.ProtocolError) as caught:
            client.foobar()
        self.assertEqual(caught.exception.args[0][:2], (-32601, "Method not found"))
        batch = jsonrpclib.MultiCall(client)
        batch.sum(1, 2, 4)
        batch.get_data()
        self.assertEqual(list(batch()), [7, ["hello", 5]])


class JSONRPCWebSocket(unittest.IsolatedAsyncioTestCase, BridgeTestCase):
    async def test_calls_and_failures(self):
        client = WebSocketServer(self.server.websocket)
        await client.ws_connect()
        try:
            self.assertEqual(await client.subtract(42, 23), 19)
            results = await asyncio.gather(*(client.sum(n, n) for n in range(100)))
            self.assertEqual(results, [2 * n for n in range(100)])
            with self.assertRaisesRegex(Exception, "Method not found"):
                await client.foobar()
        finally:
            await client.close()


class AIORPCX(unittest.IsolatedAsyncioTestCase, BridgeTestCase):
    async def test_calls_batches_and_failures(self):
        async with aiorpcx.connect_rs("127.0.0.1", self.server.lines_port) as session:
            self.assertEqual(await session.send_request("subtract", [42, 23]), 19)
            async with session.send_batch() as batch:
                batch.add_request("sum", [1, 2, 4])
                batch.add_notification("notify_hello", [7])
                batch.add_request("get_data")
            self.assertEqual(list(batch.results), [7, ["hello", 5]])
            with self.assertRaises(aiorpcx.RPCError) as caught:
                await session.send_request("foobar")
            self.assertEqual(caught.exception.code, -32601)
