// The conformance page in a WebView: over our client in each shape, and over native sides that share no code with us.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "./chromium.mjs";
import { plainNative } from "./plain-native.mjs";
import { executable, root, serve } from "./server.mjs";

const fixtures = `${root}web-fixtures/`;
const shots = `${root}.build/screenshots`;
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";
let server, browser, folder;

before(async () => {
  mkdirSync(shots, { recursive: true });
  folder = mkdtempSync(join(tmpdir(), "bridgehead-app-"));
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
  assert.equal(await server.stop(), 0);
});

/** `bridgehead conformance --app`; `url` is what it prints for the app, `ended` its exit code and what it wrote. */
async function command(...args) {
  const child = spawn(executable, ["conformance", "--app", "--port", "0", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "", errors = "";
  child.stdout.on("data", chunk => { output += chunk; });
  const ended = once(child, "close").then(([code]) => ({ code, output, errors }));
  const url = await new Promise((resolve, reject) => {
    child.stderr.on("data", chunk => {
      errors += chunk;
      const match = /^Open in the app: (\S+)$/m.exec(errors);
      if (match) resolve(match[1]);
    });
    ended.then(({ code }) => reject(new Error(`conformance ended with ${code}: ${errors}`)));
  });
  return { child, url, ended };
}

function envelopeFile(envelope) {
  const file = join(folder, "envelope.json");
  writeFileSync(file, JSON.stringify(envelope));
  return file;
}

/** Opens the page with `script` run before anything of the page's own, as an app's user script is; what the command says. */
async function run(script, { query = "", envelope, options = {}, args = [] } = {}) {
  const started = await command("--format", "json", ...(envelope ? ["--envelope", envelopeFile(envelope)] : []), ...args);
  const page = await browser.open("about:blank", options);
  await page.send("Page.addScriptToEvaluateOnNewDocument", { source: script });
  await page.goto(started.url + query);
  const { code, output, errors } = await started.ended;
  await page.waitFor(() => document.querySelector("#fact-command").dataset.status !== "waiting");
  assert.ok(output !== "", errors);
  return { page, code, report: JSON.parse(output), errors };
}

/** Our classic script as an app would inject it, with the attributes of its tag. */
const client = dataset => `{
  const script = { src: ${JSON.stringify(`${server.origin}/_bridge/client.js`)}, dataset: ${JSON.stringify(dataset)} };
  Object.defineProperty(document, "currentScript", { get: () => script, configurable: true });
  ${readFileSync(`${fixtures}client/client.js`, "utf8")}
  delete document.currentScript;
}`;

const failures = ({ vectors }) => vectors.filter(({ state }) => state === "failed");
const state = ({ vectors }, name) => vectors.find(vector => vector.name === name).state;
const verdict = page => page.evaluate(() => document.querySelector("#verdict").dataset.status);

function assertPassed({ code, report }) {
  assert.deepEqual(failures(report), []);
  assert.equal(code, 0);
  assert.ok(report.summary.passed > 20, JSON.stringify(report.summary));
}

for (const [name, dataset, mode] of [
  ["reply", {}, "reply"], ["plain", { handlers: "bridge:plain" }, "plain"], ["android", { platform: "android" }, "messages"],
]) {
  test(`our own server over our client, ${name}: nothing fails`, async t => {
    const { page, ...result } = await run(client(dataset));
    assertPassed(result);
    t.diagnostic(JSON.stringify(result.report.summary));
    assert.match(result.report.target, new RegExp(`bridge \\(${mode}\\)$`));
    assert.equal(await verdict(page), "passed");
    assert.deepEqual(page.errors, []);
    for (const part of ["passed", "failed", "skipped"]) {
      assert.equal(Number(await page.text(`#count-${part}`)), result.report.summary[part]);
    }
    await page.close();
  });
}

const spellings = {
  "the plain convention": [{}, undefined],
  "another spelling": [
    { handler: "app", event: "action", id: "callbackId", payload: "params", reply: "native.onAnswer", style: "members" },
    { handler: "app", eventName: "action", requestId: "callbackId", payload: "params", reply: "native.onAnswer",
      answer: { requestId: "callbackId", response: "data", error: "failure" } },
  ],
  "the id first, and failures": [{ style: "with errors" }, { answer: ["requestId", "response", "error"] }],
  "one object": [{ style: "object" }, { answer: { requestId: "requestId", response: "response", error: "error" } }],
  "promises": [{ mode: "reply" }, undefined],
};

for (const [name, [names, envelope]] of Object.entries(spellings)) {
  test(`a native side by hand, ${name}: nothing fails`, async t => {
    const { page, ...result } = await run(plainNative(names), { envelope });
    assertPassed(result);
    t.diagnostic(JSON.stringify(result.report.summary));
    // Where failures have a way to the page they are looked at.
    assert.equal(state(result.report, "an-application-code-passes"), name === "the plain convention" ? "skipped" : "passed");
    await page.close();
  });
}

test("the names may stand in the address", async () => {
  const [names, envelope] = spellings["another spelling"];
  const query = new URLSearchParams({ ...envelope, answer: JSON.stringify(envelope.answer) });
  const { page, ...result } = await run(plainNative(names), { query: `?${query}` });
  assertPassed(result);
  await page.close();
});

for (const [fault, names, envelope] of [
  ["drop", {}], ["twice", {}], ["swap", {}], ["stale", {}], ["kind of ids", {}], ["numbers", {}], ["nulls", {}], ["text", {}],
  ["codes", ...spellings["another spelling"]], ["message", ...spellings.promises], ["nulls", ...spellings.promises],
]) {
  test(`a native side that does it wrong fails: ${fault}${names.mode ? ", with promises" : ""}`, async t => {
    const { page, code, report } = await run(plainNative(names, fault), { envelope, args: ["--timeout", "5"] });
    t.diagnostic(JSON.stringify([report.summary, [...new Set(failures(report).map(({ rule }) => rule))]]));
    assert.equal(code, 1);
    assert.ok(report.summary.failed > 0);
    for (const { failure } of failures(report)) assert.ok(failure.message && failure.wire.length > 0, JSON.stringify(failure));
    assert.equal(await verdict(page), "failed");
    assert.equal(Number(await page.text("#count-failed")), report.summary.failed);
    await page.close();
  });
}

test("a failure names its step and the difference to what was meant; what is not there is absent", async () => {
  const duplicate = await run(plainNative({ style: "with errors" }, "one id"), { envelope: { answer: ["requestId", "response", "error"] } });
  const { wire, ...failure } = failures(duplicate.report)[0].failure;
  assert.deepEqual(failures(duplicate.report).map(({ name }) => name), ["the-string-1-is-not-the-number-1"]);
  assert.deepEqual(failure, { message: "what came is none of what was expected", step: 3, path: "$.response", expected: { n: 1 } });
  await duplicate.page.close();
  const { page, report } = await run(plainNative({}, "nulls"), { args: ["--timeout", "5"] });
  assert.ok(!("seed" in report), "the page makes its own ids");
  assert.ok(failures(report).length > 0);
  for (const { failure } of failures(report)) {
    assert.equal(failure.step, 2);
    assert.ok("expected" in failure && !("actual" in failure), JSON.stringify(failure));
  }
  const shown = await page.evaluate(() => document.querySelector('[data-status="failed"][data-vector]').innerText);
  assert.match(shown, /Step 2: the first difference is at \$\..*Came\s+nothing\n/s);
  await page.close();
});

test("the list says at its end that most was skipped in this mode, and why", async () => {
  const { url, ended } = await command();
  const page = await browser.open("about:blank");
  await page.send("Page.addScriptToEvaluateOnNewDocument", { source: plainNative() });
  await page.goto(url);
  const { code, output, errors } = await ended;
  assert.equal(code, 0, errors);
  assert.match(output, /^- \d+ skipped: the plain convention has no channel for failures$/m);
  assert.match(output, /\n\d+ passed, 0 failed, \d+ skipped\nProfiles: core, surface\nMost could not be tested over webkit\.messageHandlers\.bridge \(plain\)\. \d+ of them: .+; the others for the \d+ other reasons above\.\n$/);
  await page.waitFor(() => document.querySelector("#fact-command").dataset.status === "sent");
  assert.match(await page.text("#verdict-text"), /^\d+ vectors passed\. Most, \d+, could not be tested in this mode, each for the reason beside it\.$/);
  await page.close();
});

test("a device needs the token that stands in the address, and the page goes on with its cookie", async () => {
  const { child, url, ended } = await command("--format", "json", "--host", "0.0.0.0", "--filter", "echo-answers-the-payload");
  assert.match(url, /\/_bridge\/conformance\/\?token=[0-9a-f]{32}$/);
  const address = new URL(url);
  address.hostname = "127.0.0.1"; // no other place is reached here
  assert.equal((await fetch(new URL("suite.json", address))).status, 401);
  assert.equal((await fetch(new URL("result", address), { method: "POST", headers: { "content-type": "application/json" }, body: "{}" })).status, 401);
  const page = await browser.open("about:blank");
  await page.send("Page.addScriptToEvaluateOnNewDocument", { source: plainNative() });
  await page.goto(address.href);
  const { code, output } = await ended;
  assert.equal(code, 0);
  assert.equal(JSON.parse(output).summary.passed, 1);
  await page.close();
  assert.notEqual(child.exitCode, null);
});

test("a page of another origin can neither read the suite nor send a result", async () => {
  const { child, url, ended } = await command();
  for (const [name, options] of [["suite.json", {}], ["result", { method: "POST", body: "{}" }]]) {
    const headers = { origin: "http://evil.example", "content-type": "application/json" };
    assert.equal((await fetch(new URL(name, url), { ...options, headers })).status, 403);
  }
  const wrong = await fetch(new URL("result", url), { method: "POST", headers: { "content-type": "application/json" }, body: '{"results":[{"name":"no-vector"}]}' });
  assert.equal(wrong.status, 400);
  assert.match(await wrong.text(), /a vector that is none/);
  child.kill();
  await ended;
});

test("without a run there is no such page, and no place for results", async () => {
  for (const [name, options] of [["", {}], ["suite.json", {}], ["result", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }]]) {
    assert.equal((await fetch(`${server.origin}/_bridge/conformance/${name}`, options)).status, 404);
  }
});

test("the page works under a strict policy", async () => {
  const { url, ended } = await command("--filter", "echo-answers-the-payload");
  const page = await browser.open("about:blank");
  await page.send("Page.addScriptToEvaluateOnNewDocument", { source: plainNative() });
  await page.send("Fetch.enable", { patterns: [{ requestStage: "Response" }] });
  const answer = page.event.bind(page);
  page.event = (method, params) => {
    answer(method, params);
    if (method !== "Fetch.requestPaused") return;
    const { requestId, responseStatusCode: responseCode, responseHeaders } = params;
    page.send("Fetch.continueResponse", { requestId, responseCode, responseHeaders: [...responseHeaders, { name: "Content-Security-Policy", value: policy }] });
  };
  await page.goto(url);
  const { code, output } = await ended;
  assert.equal(code, 0, output);
  await page.waitFor(() => document.querySelector("#fact-command").dataset.status === "sent");
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("#verdict")).display), "grid");
  assert.deepEqual(page.errors, []);
  assert.deepEqual(page.console.filter(({ type }) => type === "error"), []);
  await page.close();
});

test("nobody comes: 69; the page falls silent: 75; there is no bridge in it: 69", async () => {
  const nobody = await (await command("--timeout", "0.2")).ended;
  assert.equal(nobody.code, 69);
  assert.match(nobody.errors, /Nothing opened the page within 0\.2 s/);
  assert.equal(nobody.output, "");

  const silent = await command("--timeout", "1");
  const begun = await fetch(new URL("result", silent.url), { method: "POST", headers: { "content-type": "application/json" }, body: '{"begins":true,"userAgent":"a\\u001bb"}' });
  assert.equal(begun.status, 204);
  const { code, errors } = await silent.ended;
  assert.equal(code, 75);
  assert.match(errors, /said nothing for 1 s/);
  assert.ok(!errors.includes("\x1b"));

  for (const [script, reason] of [["", /never where there is a bridge/], ["window.bridge = { postMessage() {} }", /did not answer conformance\.echo/]]) {
    const { url, ended } = await command("--timeout", script ? "10" : "3");
    const page = await browser.open("about:blank");
    await page.send("Page.addScriptToEvaluateOnNewDocument", { source: script });
    await page.goto(url);
    const { code, errors } = await ended;
    assert.equal(code, 69);
    assert.match(errors, reason);
    assert.equal(await verdict(page), "none");
    await page.close();
  }
});

test("a visitor without a bridge is passed over, and the next one is tested", async () => {
  const { url, ended } = await command("--format", "json", "--filter", "L1");
  const tab = await browser.open(url);
  await tab.waitFor(() => document.querySelector("#fact-command").dataset.status === "sent");
  assert.equal(await verdict(tab), "none");
  const app = await browser.open("about:blank");
  await app.send("Page.addScriptToEvaluateOnNewDocument", { source: plainNative() });
  await app.goto(url);
  const { code, output, errors } = await ended;
  assert.equal(code, 0, errors);
  assert.match(errors, /^Warning: A visitor has no bridge, and the next one is waited for\. .*postMessage here/m);
  assert.ok(JSON.parse(output).summary.passed > 0);
  await tab.close();
  await app.close();
});

test("an interrupted run says what the app has shown until then", async () => {
  const { child, url, ended } = await command("--format", "json", "--timeout", "600", "--profile", "core");
  const page = await browser.open("about:blank");
  // The app falls silent, so that the run goes on for long.
  await page.send("Page.addScriptToEvaluateOnNewDocument", { source: `${plainNative()}
    { const { bridge } = window.webkit.messageHandlers, post = bridge.postMessage.bind(bridge); let count = 0;
      bridge.postMessage = body => { if (++count < 60) return post(body); return new Promise(() => {}); }; }` });
  await page.goto(url);
  // Its beginning, and the first results, have been taken.
  await page.waitFor(() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/result")).length > 1);
  child.kill("SIGINT");
  const { code, output, errors } = await ended;
  assert.equal(code, 130);
  assert.match(errors, /^Interrupted after [1-9]\d* of \d+ vectors\.$/m);
  const { summary, vectors } = JSON.parse(output);
  assert.ok(summary.passed > 0 && summary.skipped > 0, JSON.stringify(summary));
  assert.ok(vectors.some(({ reason }) => reason === "the run was interrupted"));
  await page.close();
});

test("an envelope that means nothing is an error with a suggestion, in the file and in the address", async () => {
  for (const [envelope, message] of [
    [{ evntName: "action" }, /unknown name "evntName"; did you mean "eventName"\?/], [{ answer: ["respnse", "requestId"] }, /did you mean "response"\?/],
    [{ answer: { response: "data" } }, /has to have "requestId"/], [{ eventName: 1 }, /"eventName" has to be a text/], [[], /an envelope is an object/],
  ]) {
    const child = spawn(executable, ["conformance", "--app", "--port", "0", "--envelope", envelopeFile(envelope)], { stdio: ["ignore", "ignore", "pipe"] });
    let errors = "";
    child.stderr.on("data", chunk => { errors += chunk; });
    const [code] = await once(child, "close");
    assert.equal(code, 65);
    assert.match(errors, message);
  }
  const missing = spawn(executable, ["conformance", "--app", "--envelope", join(folder, "missing.json")], { stdio: "ignore" });
  assert.deepEqual(await once(missing, "close"), [66, null]);
  const { url, ended } = await command();
  const page = await browser.open(`${url}?evntName=action`);
  const { code, errors } = await ended;
  assert.equal(code, 69);
  assert.match(errors, /"evntName" is no name of the envelope\. Did you mean "eventName"\?/);
  await page.close();
});

test("the filter says how many it hides, and a failure says all there is to know", async () => {
  const { page, report } = await run(plainNative({}, "numbers"), { args: ["--timeout", "5"] });
  const counts = () => page.evaluate(() => ({
    hidden: Number(document.querySelector("#hidden-count").dataset.hidden), text: document.querySelector("#hidden-count").textContent,
    shown: [...document.querySelectorAll("[data-vector]")].filter(item => item.checkVisibility()).length,
  }));
  const all = report.vectors.length;
  const { failed } = report.summary;
  assert.deepEqual(await counts(), { hidden: all - failed, text: `${failed} of ${all} vectors; the filter hides ${all - failed}`, shown: failed });
  await page.click('input[name="status"][value=""]');
  assert.deepEqual(await counts(), { hidden: 0, text: `${all} of ${all} vectors`, shown: all });
  const shown = await page.evaluate(() => document.querySelector('[data-vector="echo-answers-the-payload"]').innerText);
  for (const part of ["failed", "response.n", "Expected", '1', 'Came', '"1"', "posted", "came back"]) assert.ok(shown.includes(part), `${part} in ${shown}`);
  const rule = await page.evaluate(() => document.querySelector('[data-rule="L1"]').innerText);
  assert.match(rule, /Every request gets exactly one terminal message/);
  await page.close();
});

for (const scheme of ["light", "dark"]) {
  for (const [name, width] of [["phone", 390], ["desk", 1280]]) {
    test(`it can be looked at: ${scheme}, ${width} px`, async () => {
      const options = { scheme, viewport: { width, height: 900 } };
      const { page } = await run(plainNative({}, "nulls"), { options, args: ["--timeout", "5", "--profile", "core"] });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide`);
      writeFileSync(`${shots}/conformance-${scheme}-${name}.png`, await page.screenshot());
      await page.evaluate(() => document.querySelector('[data-status="failed"][data-vector]').scrollIntoView());
      writeFileSync(`${shots}/conformance-${scheme}-${name}-failure.png`, await page.screenshot());
      await page.close();
    });
  }
}
