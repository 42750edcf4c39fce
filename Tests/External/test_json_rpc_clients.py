"""Clients of JSON-RPC beside those of Tests/ThirdParty, as they come: `pjrpc`, `tinyrpc` and `jsonrpcclient`."""

import jsonrpcclient
import pjrpc
import requests
from pjrpc.client.backend.requests import Client
from tinyrpc import RPCClient
from tinyrpc.exc import RPCError
from tinyrpc.protocols.jsonrpc import JSONRPCProtocol
from tinyrpc.transports.http import HttpPostClientTransport

from sources import ExternalTestCase


class Clients(ExternalTestCase):
    def test_pjrpc(self):
        with Client(self.server.http) as client:
            self.assertEqual(client("subtract", 42, 23), 19)
            self.assertEqual(client.proxy.subtract(minuend=42, subtrahend=23), 19)
            self.assertIsNone(client.notify("update", 1, 2, 3))
            with self.assertRaises(pjrpc.client.exceptions.MethodNotFoundError):
                client.proxy.foobar()
            with client.batch() as batch:
                batch.call("sum", 1, 2, 4)
                batch.notify("notify_hello", 7)
                batch.call("get_data")
            self.assertEqual(list(batch.get_results()), [7, ["hello", 5]])

    def test_tinyrpc(self):
        client = RPCClient(JSONRPCProtocol(), HttpPostClientTransport(self.server.http, headers={
            "Content-Type": "application/json"}))
        self.assertEqual(client.get_proxy().subtract(42, 23), 19)
        self.assertEqual(client.call("subtract", [], {"minuend": 42, "subtrahend": 23}), 19)
        self.assertIsNone(client.get_proxy(one_way=True).update(1, 2, 3))
        with self.assertRaisesRegex(RPCError, "Method not found"):
            client.get_proxy().foobar()

    def test_jsonrpcclient(self):
        def post(message):
            return jsonrpcclient.parse(requests.post(self.server.http, json=message, timeout=15).json())
        self.assertEqual(post(jsonrpcclient.request("subtract", params=(42, 23))).result, 19)
        self.assertEqual(post(jsonrpcclient.request("foobar")).code, -32601)
        batch = [jsonrpcclient.request("sum", params=[1, 2, 4]), jsonrpcclient.request("get_data")]
        self.assertEqual([answer.result for answer in post(batch)], [7, ["hello", 5]])
