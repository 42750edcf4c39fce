// client.js is what bundle.mjs makes of the modules.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";
import { bundle } from "../../web-fixtures/client/bundle.mjs";

const folder = new URL("../../web-fixtures/client/", import.meta.url);
const text = readFileSync(new URL("client.js", folder), "utf8");

test("client.js is in step with the modules: node web-fixtures/client/bundle.mjs", () => {
  assert.equal(text, bundle(folder));
});

test("client.js is a classic script without eval, and does nothing without a window", () => {
  assert.doesNotMatch(text, /\beval\(|new Function\(/);
  const context = vm.createContext({ EventTarget, Error, URL });
  new vm.Script(text).runInContext(context);
  assert.deepEqual(Object.keys(context), ["EventTarget", "Error", "URL"]);
});
