// What names a tab, whichever document it shows (PROTOCOL.md, H1).
import assert from "node:assert/strict";
import { test } from "node:test";
import { navigationType, tabId } from "../../web-fixtures/client/tab.mjs";

function storage(values = {}) {
  return { values, getItem: (key) => values[key] ?? null, setItem(key, value) { values[key] = value; } };
}

const page = (members) => ({ opener: null, history: { length: 2 }, sessionStorage: storage(), ...members });

test("H1: the documents of a tab share its id, and those of another have another", () => {
  const sessionStorage = storage();
  const id = tabId(page({ sessionStorage, history: { length: 1 } }));
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.equal(tabId(page({ sessionStorage })), id);
  assert.notEqual(tabId(page({})), id);
});

test("a window that a page has opened is a tab of its own, though it begins with a copy of the storage", () => {
  const first = storage();
  const id = tabId(page({ sessionStorage: first }));
  const copy = storage({ ...first.values });
  const opened = tabId(page({ sessionStorage: copy, opener: {}, history: { length: 1 } }));
  assert.notEqual(opened, id);
  assert.equal(tabId(page({ sessionStorage: copy, opener: {}, history: { length: 2 } })), opened);
});

test("a page that may not store anything has none", () => {
  const closed = { opener: null, history: { length: 1 }, get sessionStorage() { throw new Error("SecurityError"); } };
  assert.equal(tabId(closed), undefined);
  assert.equal(tabId({ opener: null, history: { length: 1 } }), undefined);
});

test("how a document came to be is told by the Navigation API, else by the timing of its load", () => {
  const timed = (type) => ({ performance: { getEntriesByType: () => [{ type }] } });
  assert.equal(navigationType({ navigation: { activation: { navigationType: "replace" } }, ...timed("navigate") }), "replace");
  assert.deepEqual(["navigate", "reload", "back_forward", "prerender"].map((type) => navigationType(timed(type))), ["push", "reload", "traverse", undefined]);
  assert.equal(navigationType({}), undefined);
});
