// A suite of the page's own, which runs in the page: its results come through the bridge and are held against what they
// should be on the native side.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { launch } from "./chromium.mjs";
import { serve, site } from "./server.mjs";

const suite = `
  const { bridge } = webkit.messageHandlers;
  const expect = (value, expected) => { if (value !== expected) throw new Error(value + " is not " + expected); };
  const cases = {
    "the user is greeted": async () => expect((await bridge.postMessage({ eventName: "getUser" })).name, "Ada"),
    "a refusal has its text": async () => {
      const refusal = await bridge.postMessage({ eventName: "pay" }).then(() => "none", error => error.message);
      expect(refusal, "Declined");
    },
    "what fails is told, \\u{1F600} and all": async () => expect((await bridge.postMessage({ eventName: "getUser" })).name, "Grace \\u{1F600}"),
    "native calls the page": async () => {
      bridgehead.handle("double", ({ n }) => 2 * n);
      expect(await bridge.postMessage({ eventName: "conformance.callPage", event: "double", payload: { n: 21 } }), 42);
    },
  };
  (async () => {
    for (const [name, run] of Object.entries(cases)) {
      const failure = await run().then(() => null, error => error.message);
      bridge.postMessage({ eventName: "suite.result", name, failure });
    }
    await bridge.postMessage({ eventName: "suite.end" });
    window.hasEnded = true;
  })();
`;

test("the results of a suite in the page arrive on the native side, in order, failures with their texts", async t => {
  const folder = mkdtempSync(join(tmpdir(), "bridgehead-suite-"));
  const answers = join(folder, "answers.json");
  writeFileSync(answers, JSON.stringify({
    getUser: { response: { name: "Ada" } }, pay: { error: { code: 4002, message: "Declined" } },
    "suite.result": { response: null }, "suite.end": { response: null },
  }));
  const server = await serve("--answers", answers, "--log-level", "debug", "--log-format", "json");
  const browser = await launch();
  const pages = await site(() => `<!doctype html><meta charset="utf-8"><script src="${server.origin}/_bridge/client.js"></script><script>${suite}</script>`);
  t.after(async () => {
    await browser.close();
    await pages.close();
    assert.equal(await server.stop(), 0);
    rmSync(folder, { recursive: true });
  });
  const received = () => server.output.split("\n").filter(line => line.startsWith("{")).map(line => JSON.parse(line))
    .filter(({ message }) => message === "received").map(({ text }) => JSON.parse(text))
    .filter(({ eventName }) => eventName?.startsWith("suite."));
  const page = await browser.open(pages.origin);
  await page.waitFor(() => window.hasEnded);
  while (received().at(-1)?.eventName !== "suite.end") await new Promise(resolve => server.child.stdout.once("data", resolve));
  assert.deepEqual(received().map(({ name, failure }) => [name, failure]), [
    ["the user is greeted", null], ["a refusal has its text", null],
    ["what fails is told, \u{1F600} and all", "Ada is not Grace \u{1F600}"], ["native calls the page", null],
    [undefined, undefined],
  ]);
  assert.deepEqual(page.errors, []);
});
