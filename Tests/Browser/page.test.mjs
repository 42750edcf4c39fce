// `bridgehead conformance --page`: the native side for a page, ours and others', in a browser that it starts and ends itself.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { foreignPage } from "./foreign-page.mjs";
import { executable, site } from "./server.mjs";

const icon = '<link rel="icon" href="data:,">';
const throwing = `<!doctype html>${icon}<script src="http://127.0.0.1:9/broken.js"></script>
<script>console.log("fine"); console.error("no bridge for", "\x1bme"); throw new Error("boom")</script>`;
let pages, folder;

before(async () => {
  pages = await site((path) => path === "/silent" ? `<!doctype html>${icon}silent` : path === "/throws" ? throwing : foreignPage(decodeURIComponent(path.slice(1))));
  folder = mkdtempSync(join(tmpdir(), "bridgehead-page-"));
});
after(async () => {
  await pages.close();
  rmSync(folder, { recursive: true });
});

const browser = process.env.CHROMIUM ? ["--browser", process.env.CHROMIUM] : [];

/** Runs the command to its end, with a folder for temporary files of its own; nothing may be left in it. */
async function conformance(args, { env = {}, during = async () => {} } = {}) {
  const child = spawn(executable, ["conformance", ...args], {
    stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, TMPDIR: folder, ...env },
  });
  let output = "", errors = "";
  child.stdout.on("data", chunk => { output += chunk; });
  child.stderr.on("data", chunk => { errors += chunk; });
  const ended = once(child, "close");
  await during(child);
  const [code] = await ended;
  assert.deepEqual(readdirSync(folder), [], "its browser leaves nothing behind");
  return { code, output, errors };
}

const page = (url, ...args) => conformance(["--page", url, "--format", "json", ...browser, ...args]);
const failed = report => report.vectors.filter(({ state }) => state === "failed");

test("the page with our client keeps every rule", { timeout: 600_000 }, async t => {
  const { code, output, errors } = await page("bundled", "--timeout", "20");
  const report = JSON.parse(output);
  t.diagnostic(`${JSON.stringify(report.summary)} in ${report.seconds} s`);
  assert.deepEqual(failed(report), [], errors);
  assert.equal(code, 0);
  assert.deepEqual(report.profiles, ["core", "session", "surface"]);
  assert.ok(report.summary.passed > 100 && report.summary.skipped === 0);
});

test("a page with a client of its own is driven through what it claims", { timeout: 600_000 }, async t => {
  const { code, output } = await page(`${pages.origin}/?bridge={{host}}`, "--timeout", "20");
  const report = JSON.parse(output);
  t.diagnostic(JSON.stringify(report.summary));
  assert.deepEqual(failed(report), []);
  assert.equal(code, 0);
  assert.deepEqual(report.profiles, ["core"]);
  assert.ok(report.summary.passed > 40);
});

for (const [fault, rule] of [
  ["order", "L2"], ["twice", "L1"], ["notifications", "D2"], ["codes", "P1"], ["nulls", "L8"], ["texts", "F1"],
  ["bad payloads", "D3"], ["reserved names", "D3"],
]) {
  test(`a page that does it wrong fails: ${fault}`, { timeout: 600_000 }, async t => {
    const { code, output } = await page(`${pages.origin}/${encodeURIComponent(fault)}?bridge={{host}}`, "--timeout", "3", "--filter", rule);
    const report = JSON.parse(output);
    t.diagnostic(JSON.stringify([report.summary, failed(report).map(({ name }) => name)]));
    assert.equal(code, 1);
    assert.ok(failed(report).length > 0);
    for (const { rule: of, failure } of failed(report)) {
      assert.equal(of, rule);
      assert.ok(failure.wire.length > 0);
    }
  });
}

test("a page that never connects, and one that does not greet, cannot be tested", { timeout: 600_000 }, async () => {
  for (const [path, time, ...said] of [
    ["/silent", "1", /page did not connect within 20 s/, /know this address, which \{\{host\}\} in the URL would tell/, /Its console shows no error\./],
    ["/no%20greeting?bridge={{host}}", "21", /page sent no \$\/hello within 21 s/, /with the host in its URL/],
    ["/throws", "1", /Its console shows:\n(  .*\n)*  no bridge for \\u\{1b\}me\n/, /\n  Error: boom /, /favicon|broken\.js/],
  ]) {
    const { code, output, errors } = await page(pages.origin + path, "--timeout", time);
    assert.equal(code, 69, errors);
    assert.equal(output, "");
    for (const part of [/has to connect to ws:\/\/localhost:\d+\/_bridge\/ws and send \$\/hello/, ...said]) assert.match(errors, part);
  }
});

test("a page that is not there is said at once", { timeout: 600_000 }, async () => {
  const gone = await site(() => "");
  await gone.close();
  const { code, errors } = await page(`${gone.origin}/`);
  assert.equal(code, 69);
  assert.match(errors, /^Error: The browser cannot open .*: net::ERR_CONNECTION_REFUSED\.$/m);
});

test("without a browser it says what to install", async () => {
  const { code, errors } = await conformance(["--page", "bundled"], { env: { PATH: folder, BROWSER_PATH: "" } });
  assert.equal(code, 69);
  assert.match(errors, /install one .*chromium.*--browser/);
  const missing = await conformance(["--page", "bundled"], { env: { BROWSER_PATH: join(folder, "no-browser") } });
  assert.equal(missing.code, 69);
  assert.match(missing.errors, /no-browser: No such file/);
});

test("its own bridge and page pass every vector, and every rule has one", { timeout: 600_000 }, async () => {
  const { code, output, errors } = await conformance(["--self", "--format", "json", "--timeout", "20"], {
    env: process.env.CHROMIUM ? { BROWSER_PATH: process.env.CHROMIUM } : {},
  });
  const report = JSON.parse(output);
  assert.deepEqual(failed(report), []);
  assert.deepEqual(report.rules.filter(({ state }) => state !== "passed").map(({ rule, state }) => `${rule} ${state}`), []);
  assert.equal(code, 0, errors);
});

for (const [args, signal] of [[["--page", "bundled", ...browser], "SIGINT"], [["--self"], "SIGTERM"]]) {
  test(`${signal} ends ${args[0]} at once, and its browser with it`, { timeout: 600_000 }, async () => {
    const { code, output, errors } = await conformance([...args, "--timeout", "600", "--filter", "L10"], {
      env: process.env.CHROMIUM ? { BROWSER_PATH: process.env.CHROMIUM } : {},
      during: async child => {
        await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
        child.kill(signal);
      },
    });
    assert.equal(code, 130);
    assert.match(output, /\n\d+ passed, 0 failed, [1-9]\d* skipped\n/);
    assert.match(errors, /^Interrupted after \d+ of \d+ vectors\.$/m);
  });
}

test("options that mean nothing together are wrong use", async () => {
  for (const args of [
    ["--page", "bundled", "--self"], ["--app", "--page", "bundled"], ["--page"], ["--self", "--envelope", "x"], ["--page", "bundled", "--host", "::1"],
    ["--self", "--port", "1"], ["--app", "--browser", "x"], [],
  ]) {
    const { code, errors } = await conformance(args);
    assert.equal(code, 64, args.join(" "));
    assert.match(errors, /^Error: /);
  }
});
