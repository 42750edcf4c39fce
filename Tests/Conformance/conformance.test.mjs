// The suite on the example bridge, and on the same bridge with one fault at a time: what is right passes, and each
// fault is caught by a vector of the rule that it breaks.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { serveBroken } from "./broken.mjs";
import { calls } from "./faults/calls.mjs";
import { dialects } from "./faults/dialects.mjs";
import { laws } from "./faults/laws.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const bridgehead = process.env.BRIDGEHEAD ?? `${root}.build/debug/bridgehead`;
const faults = [...laws, ...dialects, ...calls];

/** What the suite says of a target. */
async function suite(target, ...options) {
  const runner = spawn(bridgehead, ["conformance", "--target", target, "--format", "json", ...options]);
  const output = { out: "", error: "" };
  runner.stdout.setEncoding("utf8").on("data", (text) => { output.out += text; });
  runner.stderr.setEncoding("utf8").on("data", (text) => { output.error += text; });
  const [code] = await once(runner, "close");
  assert.ok(code === 0 || code === 1, `exit code ${code}: ${output.error}`);
  return { code, ...JSON.parse(output.out) };
}

const failed = ({ vectors }) => vectors.filter(({ state }) => state === "failed");
/** A fault is seen in what the target says. That the connection is gone shows one only where that is the fault. */
const isGone = ({ failure }) =>
  /^(there is no connection|the target (ended|broke|closed|breaks|ends))/.test(failure.message);
const explain = (vector) => `${vector.rule} ${vector.name}: ${JSON.stringify(vector.failure)}`;

/** The example, as implementers start it. */
let example;
let target;
before(async () => {
  example = spawn(process.execPath, [`${root}web-fixtures/examples/node-bridge/main.mjs`]);
  for await (const text of example.stdout.setEncoding("utf8")) {
    target = `lines://127.0.0.1:${/^Lines on port (\d+)$/m.exec(text)[1]}`;
    break;
  }
});
after(() => example.kill());

test("the example passes every vector of the profiles that it claims", async () => {
  const report = await suite(target, "--timeout", "30");
  assert.deepEqual(failed(report).map(explain), []);
  assert.equal(report.code, 0);
  assert.deepEqual(report.profiles, ["core", "rpc", "session", "surface"]);
  assert.ok(report.summary.passed > 500, JSON.stringify(report.summary));
});

test("without a fault nothing fails", async () => {
  const server = await serveBroken();
  const report = await suite(server.target, "--timeout", "30").finally(server.close);
  assert.deepEqual(failed(report).map(explain), []);
});

test("every fault is caught by a vector of its rule", async () => {
  assert.equal(new Set(faults.map(([, name]) => name)).size, faults.length);
  const waiting = faults.map(([rule, name, make, ends]) => ({ rule, name, make, ends }));
  const rows = new Map();
  const work = async () => {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
      const server = await serveBroken(fault.make);
      try {
        const report = await suite(server.target, "--filter", fault.rule, "--timeout", "3");
        const caught = failed(report).filter((vector) =>
          vector.rule === fault.rule && vector.failure.wire.length > 0 && (fault.ends || !isGone(vector)));
        rows.set(fault.name, caught.map(({ name }) => name));
      } finally {
        server.close();
      }
    }
  };
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, work));
  for (const [rule, name] of faults) {
    const caught = rows.get(name);
    const shown = caught.slice(0, 3).join(", ") + (caught.length > 3 ? ` and ${caught.length - 3} more` : "");
    console.log(`${rule.padEnd(4)} ${name.padEnd(58)} ${shown || "NOT CAUGHT"}`);
  }
  const missed = faults.filter(([, name]) => rows.get(name).length === 0);
  assert.deepEqual(missed.map(([rule, name]) => `${rule} ${name}`), []);
});
