"""The conformance vectors as files: what holds for all of them, whoever runs them."""

import copy
import json
import unittest

from jsonschema import Draft202012Validator

from support import ROOT

FOLDER = ROOT / "web-fixtures/vectors"
SCHEMA = json.loads((FOLDER / "schema.json").read_text())
FILES = {
    path.name: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json")) if path.name != "schema.json"
}
VALIDATOR = Draft202012Validator(SCHEMA)

GOOD = {
    "$schema": "./schema.json",
    "concern": "c",
    "profile": "core",
    "vectors": [{"name": "n", "rule": "L1", "steps": [{"send": {"eventName": "e"}}, {"expect": "{{a}}"}]}],
}


def broken(**changes):
    """The good file with another member, or without one (None)."""
    return {name: value for name, value in {**GOOD, **changes}.items() if value is not None}


def vector(**changes):
    one = {name: value for name, value in {**GOOD["vectors"][0], **changes}.items() if value is not None}
    return {**copy.deepcopy(GOOD), "vectors": [one]}


def step(value, **file):
    return {**vector(steps=[value]), **file}


BROKEN = {
    "no schema": broken(**{"$schema": None}),
    "no concern": broken(concern=None),
    "an empty concern": broken(concern=""),
    "no profile": broken(profile=None),
    "an unknown profile": broken(profile="all"),
    "an unknown role": broken(role="server"),
    "an unknown medium": broken(over="udp"),
    "no vectors": broken(vectors=[]),
    "a member of no meaning": broken(comment="x"),
    "a vector without a name": vector(name=None),
    "a name with a space": vector(name="a b"),
    "a vector without a rule": vector(rule=None),
    "a rule that is a sentence": vector(rule="law 1"),
    "a vector without steps": vector(steps=None),
    "a vector with no steps": vector(steps=[]),
    "a vector with a member of no meaning": vector(note="x"),
    "an unknown need": vector(needs="luck"),
    "an unknown limit": vector(limit="messages"),
    "a flag that is false": vector(mustFail=False),
    "both flags": vector(mustFail=True, canFail=True, steps=[{"send": 1}]),
    "something expected where it must fail": vector(mustFail=True),
    "a step that is none": step({}),
    "a step that is unknown": step({"receive": 1}),
    "a step that is two": step({"send": 1, "expect": 1}),
    "a quiet that is false": step({"quiet": False}),
    "a chop of nothing": step({"expect": 1, "chop": 1}),
    "a chop of no bytes": step({"send": 1, "chop": 0}),
    "times of nothing": step({"send": 1, "times": 2}),
    "a repetition without times": step({"repeat": [{"send": 1}]}),
    "sending in any order": step({"any-order": [{"send": 1}, {"expect": 1}]}),
    "any order of one": step({"any-order": [{"expect": 1}]}),
    "a wait that is text": step({"wait": "long"}),
    "an end of an unknown kind": step({"hang-up": "slam"}),
    "a close with a reason": step({"expect-close": {"reason": "x"}}),
    "a page over lines": step({"send": "1"}, role="page", over="lines"),
    "a part that is none": step({"send-text": {"text": "a"}}),
    "a part that is two": step({"send-text": {"hex": "00", "fill": "a", "to": 1}}),
    "hex of half a byte": step({"send-text": {"hex": "0"}}),
    "a repetition that is endless": step({"send-text": {"repeat": "a"}}),
    "a negative number of times": step({"send-text": {"repeat": "a", "times": -1}}),
    "a script in no page": step({"script": "1"}),
    "a value of no script": step({"send": 1, "value": 1}, role="page"),
    "a value sent over HTTP": step({"send": {"eventName": "e"}}, over="http"),
    "an answer over HTTP without a status": step({"expect": {"body": {}}}, over="http"),
    "a status that is none": step({"expect": {"status": 42}}, over="http"),
    "a header that is a number": step({"expect": {"status": 200, "headers": {"Age": 1}}}, over="http"),
    "a value sent over WebSocket": step({"send": {"eventName": "e"}}, over="websocket"),
    "a frame with a member of no meaning": step({"send": {"frame": {"final": True}}}, over="websocket"),
    "a reason without a close": step({"send": {"text": "a", "reason": "b"}}, over="websocket"),
    "a frame that is expected raw": step({"expect": {"bytes": "a"}}, over="websocket"),
    "a value sent over lines": step({"send": {"eventName": "e"}}, over="lines"),
    "a path over lines": {**vector(path="/x", steps=[{"send": "a"}]), "over": "lines"},
}


class SchemaTests(unittest.TestCase):
    def test_the_schema_is_one(self):
        Draft202012Validator.check_schema(SCHEMA)

    def test_every_file_is_valid(self):
        self.assertGreater(len(FILES), 20)
        for name, file in FILES.items():
            with self.subTest(name):
                faults = [f"{list(e.absolute_path)}: {e.message}" for e in VALIDATOR.iter_errors(file)]
                self.assertEqual(faults, [])

    def test_what_is_broken_is_not(self):
        self.assertTrue(VALIDATOR.is_valid(GOOD))
        for name, file in BROKEN.items():
            with self.subTest(name):
                self.assertFalse(VALIDATOR.is_valid(file))


class VectorTests(unittest.TestCase):
    vectors = [(name, file, vector) for name, file in FILES.items() for vector in file["vectors"]]

    def test_names_are_unique(self):
        names = [vector["name"] for _, _, vector in self.vectors]
        self.assertEqual(len(names), len(set(names)), sorted({name for name in names if names.count(name) > 1}))

    def test_core_can_be_posted_from_a_page_of_an_app(self):
        """Objects in, answers out: no texts, no JSON-RPC, nothing about connections."""
        for name, file, vector in self.vectors:
            if (file["profile"], file.get("role", "native")) != ("core", "native"):
                continue
            with self.subTest(f"{name} {vector['name']}"):
                self.assertEqual(file.get("over", "messages"), "messages")
                for step in vector["steps"]:
                    self.assertIn(next(iter(step)), {"send", "expect", "any-order"})
                    self.assertIsInstance(step.get("send", {}), dict)
                    self.assertNotIn("jsonrpc", step.get("send", {}))


if __name__ == "__main__":
    unittest.main()
