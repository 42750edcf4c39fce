"""What the README says to type does what it says."""

import json
import pathlib
import re
import subprocess
import tempfile

from support import EXECUTABLE, ROOT, BridgeTestCase, Serve

README = (ROOT / "README.md").read_text()


def block(language, containing):
    """The code block of `language` in which `containing` stands."""
    blocks = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return next(text for text in blocks if containing in text)


class Readme(BridgeTestCase):
    def run_command(self, command):
        command = command.replace("swift run bridgehead", EXECUTABLE).replace("127.0.0.1:7357", f"127.0.0.1:{self.server.port}")
        return subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, timeout=30,
            env={"BRIDGEHEAD_PORT": str(self.server.port), "PATH": "/usr/bin:/bin"})

    def test_curl(self):
        answer = self.run_command(block("sh", "curl"))
        self.assertRegex(answer.stdout, r'^\{"requestId":"r1","response":"Title: [0-9A-F-]{36}"\}$')

    def test_call(self):
        command = re.search(r"`(swift run bridgehead call \w+)`", README).group(1)
        answer = self.run_command(command)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertRegex(answer.stdout, r'^"Title: [0-9A-F-]{36}"\n$')

    def test_help(self):
        command = re.search(r"`(swift run bridgehead serve --help)`", README).group(1)
        self.assertIn("--answers", self.run_command(command).stdout)

    def test_browse(self):
        command = re.search(r"^(swift run bridgehead browse \S+/plain\.html)", README, re.MULTILINE).group(1)
        answer = self.run_command(command.replace("localhost:7357", "127.0.0.1:7357"))
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("/pages/plain.html  (commit)", answer.stdout)
        self.assertRegex(answer.stdout, r"finished +\n$")

    def test_the_script_tag_names_a_file_that_is_served(self):
        path = re.search(r'src="http://localhost:7357(/[^"]+)"', README).group(1)
        status = subprocess.run(
            ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", f"http://127.0.0.1:{self.server.port}{path}"],
            capture_output=True, text=True, timeout=30).stdout
        self.assertEqual(status, "200")

    def test_the_exit_codes_are_those_of_the_help(self):
        help_text = subprocess.run([EXECUTABLE, "conformance", "--help"], capture_output=True, text=True, timeout=30).stdout
        def codes(text):
            return re.findall(r"(?:^|[:,]) (\d+) ", re.search(r"Exit codes:(.*?)\.\s", " ".join(text.split()) + " ").group(0))
        self.assertIn("130", codes(README))
        self.assertEqual(codes(README), codes(help_text))

    def test_the_folders_of_tests_are_named(self):
        row = next(line for line in README.splitlines() if line.startswith("| `Tests/`"))
        for folder in (ROOT / "Tests").iterdir():
            # The others are targets, named after what they test.
            if folder.is_dir() and not folder.name.endswith("Tests") and folder.name != "__pycache__":
                self.assertIn(f"`{folder.name}`", row)

    def test_the_links_lead_somewhere(self):
        for target in re.findall(r"\]\(([^)#:]+)\)", README):
            self.assertTrue((ROOT / target).exists(), target)

    def test_answers(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(block("jsonc", "getUser"))
            file.flush()
            server = Serve("--answers", file.name)
            try:
                def call(event):
                    return subprocess.run(
                        [EXECUTABLE, "call", event, "--json", "--url", f"ws://127.0.0.1:{server.port}/_bridge/ws"],
                        capture_output=True, text=True, timeout=30)
                self.assertEqual(json.loads(call("getUser").stdout), {"name": "Ada"})
                self.assertEqual(json.loads(call("pay").stdout)["error"]["code"], 4002)
                self.assertEqual([json.loads(call("pay").stdout) for _ in range(2)], ["ok", "ok"])
                upload = call("upload")
                self.assertEqual(upload.stdout, "null\n")
                self.assertIn("0.5", upload.stderr)
            finally:
                self.assertEqual(server.stop(), 0)

    def test_the_swift_program_compiles(self):
        with tempfile.TemporaryDirectory() as folder:
            main = pathlib.Path(folder, "main.swift")
            main.write_text(block("swift", "BridgeCommand.main(bridge)"))
            built = pathlib.Path(EXECUTABLE).parent
            check = subprocess.run(
                ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-I", built / "Modules", main],
                capture_output=True, text=True, timeout=300)
            self.assertEqual((check.returncode, check.stderr), (0, ""))

    def test_the_package_has_the_products_it_names(self):
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder, "MyBridge")
            (package / "Sources/MyBridge").mkdir(parents=True)
            (package / "Sources/MyBridge/main.swift").touch()
            (package / "Package.swift").write_text(block("swift", "import PackageDescription"))
            pathlib.Path(folder, "bridgehead").symlink_to(ROOT)
            resolved = subprocess.run(
                ["swift", "package", "--package-path", package, "describe", "--type", "json"],
                capture_output=True, text=True, timeout=300)
            self.assertEqual(resolved.returncode, 0, resolved.stderr)
            wanted = json.loads(resolved.stdout)["targets"][0]["product_dependencies"]
            manifest = (ROOT / "Package.swift").read_text()
            for product in wanted:
                self.assertIn(f'.library(name: "{product}"', manifest)

    def test_the_swift_tests_are_some_of_ours(self):
        ours = [file.read_text() for file in sorted((ROOT / "Tests").glob("*/ReadmeTests.swift"))]
        theirs = [text for text in re.findall(r"```swift\n(.*?)```", README, re.DOTALL) if "import Testing" in text]
        self.assertEqual(len(theirs), len(ours))
        for text in theirs:
            self.assertTrue(any(text in file for file in ours), text)
