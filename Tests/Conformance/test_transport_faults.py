"""The transport vectors catch a fault of every kind: each run of the suite is on a right server with one thing made
wrong. The table of faults and of the vectors that fail is printed."""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "ThirdParty"))
from support import EXECUTABLE, ROOT, Serve  # noqa: E402
import transport_faults  # noqa: E402
from transport_proxy import Fault, Proxy  # noqa: E402

FAULTS = transport_faults.FAULTS
TOKEN = "correct-horse"
# Times are tested by themselves, or a busy machine would be late for one of them elsewhere; so is what needs all places.
LIMITS = {
    "sizes": {"requestLine": 512, "headerBlock": 2048, "headerFields": 16, "emptyFragments": 8, "batch": 16, "nesting": 32},
    "times": {"headTimeout": 0.4, "bodyTimeout": 0.4, "idleTimeout": 0.6, "lingerTimeout": 0.5, "pingInterval": 0.2},
    "crowd": {"connections": 40},
    "guarded": {},
}
# Above every message of a vector that is not about this limit, and soon reached.
MESSAGE = 300000
# A fault is seen in what the target says. That the connection is gone shows one only where that is the fault.
GONE = re.compile(r"there is no connection|the target (ended|broke it|breaks the connection|ends its output)")


class TransportFaults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.servers = {}
        for name, limits in LIMITS.items():
            if name == "guarded":
                os.environ["BRIDGEHEAD_TOKEN"] = TOKEN
            cls.servers[name] = Serve("--quiet", "--limit", f"message={MESSAGE}", *[part for pair in limits.items() for part in ("--limit", "%s=%s" % pair)])
            os.environ.pop("BRIDGEHEAD_TOKEN", None)

    @classmethod
    def tearDownClass(cls):
        for server in cls.servers.values():
            server.stop()

    def run_suite(self, fault, only=None, timeout=2):
        """The vectors that pass, and those that fail, by name."""
        arguments = ["--filter", only] if only else []
        environment = {**os.environ, **({"BRIDGEHEAD_TOKEN": TOKEN} if fault.server == "guarded" else {})}
        with Proxy(self.servers[fault.server], fault) as proxy:
            done = subprocess.run(
                [EXECUTABLE, "conformance", "--target", f"{fault.ask}://127.0.0.1:{proxy.own_port}", "--profile",
                 "transport", "--format", "json", "--timeout", str(timeout), *arguments],
                capture_output=True, text=True, env=environment, timeout=300)
        self.assertIn(done.returncode, (0, 1), f"{fault.name}: {done.stderr}")
        vectors = json.loads(done.stdout)["vectors"]
        return [{v["name"]: v for v in vectors if v["state"] == state} for state in ("passed", "failed")]

    def test_without_a_fault_all_is_right(self):
        for server, ask, rule in (("sizes", "ws", None), ("sizes", "http", None), ("sizes", "lines", None),
                                  ("guarded", "ws", None), ("times", "ws", "N2"), ("times", "ws", "N3"), ("crowd", "ws", "N1")):
            with self.subTest(server=server, ask=ask):
                # What is right is never waited for in vain, however busy the machine.
                passed, failed = self.run_suite(Fault("none", "", server=server, ask=ask), rule, timeout=20)
                self.assertFalse(failed, json.dumps([(name, v["failure"]) for name, v in failed.items()])[:4000])
                self.assertTrue(passed)

    def test_each_fault_is_caught_by_its_own_rule(self):
        # What the proxy cannot pass on whole, such as frames without their payload, shows no fault.
        controls = {rule: Fault("none", rule, ask="http", up_frame=transport_faults.up(lambda *parts: parts))
                    for rule in {fault.rule for fault in FAULTS if fault.up_frame}}
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            control = dict(zip(controls, pool.map(lambda rule: self.run_suite(controls[rule], rule)[1], controls)))
            found = list(pool.map(lambda fault: self.run_suite(fault, fault.only)[1], FAULTS))
        print("\nFault → vectors that fail")
        for fault, failed in zip(FAULTS, found):
            own = [name for name, vector in failed.items() if vector["rule"] == fault.rule
                   and not (fault.up_frame and name in control[fault.rule])
                   and (fault.breaks or not GONE.match(vector["failure"]["message"]))]
            more = f" and {len(own) - 2} more" if len(own) > 2 else ""
            print(f"  {fault.rule:3} {fault.name} → {', '.join(own[:2]) or 'NONE'}{more}")
            with self.subTest(fault=fault.name):
                self.assertEqual(fault.failures, [])
                self.assertTrue(own, json.dumps([(n, v["failure"]["message"]) for n, v in failed.items()])[:2000])

    def test_each_rule_has_a_fault(self):
        rules = re.findall(r"^\| ([TNA][0-9]+) \|", (ROOT / "web-fixtures/PROTOCOL.md").read_text(), re.MULTILINE)
        self.assertEqual(sorted(set(rules) - {fault.rule for fault in FAULTS}), [])
