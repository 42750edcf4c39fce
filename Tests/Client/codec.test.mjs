// The tagged codec against what WebKit makes of the same values (PROTOCOL.md, S5–S7).
import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, encode } from "../../web-fixtures/client/codec.mjs";

const shared = { s: 1 };
const cycle = [];
cycle.push(cycle);
class Point { x = 1; get y() { return 2; } method() {} }

for (const [name, value, json] of [
  ["plain JSON", { a: [1, "x", null, true] }, { a: [1, "x", null, true] }],
  ["undefined", undefined, { $undefined: true }],
  ["an undefined member and a hole", { a: undefined, b: [, 1] }, { a: { $undefined: true }, b: [{ $undefined: true }, 1] }],
  ["numbers JSON lacks", [NaN, Infinity, -Infinity, -0], [{ $number: "NaN" }, { $number: "Infinity" }, { $number: "-Infinity" }, { $number: "-0" }]],
  ["dates", [new Date(5), new Date(NaN)], [{ $date: 5 }, { $date: null }]],
  ["a shared reference", [shared, shared], [{ s: 1 }, { $ref: 1 }]],
  ["a cycle", cycle, [{ $ref: 0 }]],
  ["a class instance", new Point(), { x: 1 }],
  ["Map, Set, RegExp, Error, ArrayBuffer", [new Map([[1, 2]]), new Set([1]), /x/, new Error("x"), new ArrayBuffer(2)], [{}, {}, {}, {}, {}]],
  ["a typed array", new Uint8Array([7, 8]), { 0: 7, 1: 8 }],
  ["a bigint", [1n], [{ $undefined: true }]],
  ["symbol keys and inherited ones", Object.assign(Object.create({ inherited: 1 }), { own: 1, [Symbol()]: 2 }), { own: 1 }],
]) {
  test(name, () => assert.deepEqual(encode(value).json, json));
}

for (const [name, value] of [
  ["a function", () => {}], ["a symbol", Symbol()], ["a promise", Promise.resolve()], ["a weak map", new WeakMap()],
  ["a function deep inside", { a: [{ b() {} }] }], ["an object with toJSON", { toJSON() {} }],
]) {
  test(`${name} cannot be cloned`, () => assert.throws(() => encode(value), { name: "DataCloneError", message: "The object can not be cloned." }));
}

test("a getter that throws is left out", () => {
  assert.deepEqual(encode({ a: 1, get b() { throw new Error("no"); } }).json, { a: 1 });
});

for (const value of [
  undefined, [NaN, -0, Infinity], { $ref: 0 }, { $undefined: true }, { $object: { $object: 1 } }, { a: { $x: [1] } },
  [new Date(1234), { u: undefined }], [shared, [shared]],
]) {
  test(`round trip of ${String(JSON.stringify(value))}`, () => {
    const wire = JSON.parse(JSON.stringify(encode(value).isJSON ? { v: value } : { v: encode(value).json }));
    const back = encode(value).isJSON ? wire.v : decode(wire.v);
    assert.deepEqual(back, value);
  });
}

test("a cycle comes back as a cycle, a shared value as one", () => {
  const back = decode(JSON.parse(JSON.stringify(encode(cycle).json)));
  assert.equal(back[0], back);
  const pair = decode(JSON.parse(JSON.stringify(encode([shared, shared]).json)));
  assert.equal(pair[0], pair[1]);
});
