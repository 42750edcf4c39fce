// The events that a conformance run calls on its target (PROTOCOL.md, section 11).

import { setTimeout as sleep } from "node:timers/promises";
import { applicationFailure, invalidParams } from "./failure.mjs";
import { JSONNumber } from "./json.mjs";

/** What this target claims to speak. */
const profiles = ["core", "rpc", "session", "surface"];

/** A count a session, forgotten with it. */
const counts = new WeakMap();

/** @returns {Map<string, (payload: any, call: object) => any>} */
export function conformanceHandlers() {
  return new Map(Object.entries({
    "conformance.profiles": () => profiles,
    "conformance.echo": (payload) => payload,
    "conformance.wait": async (payload, { signal }) => {
      const ms = whole(payload, "ms", "a number of milliseconds", 0n);
      await sleep(Math.min(Number(ms), 2 ** 31 - 1), undefined, { signal });
      return { waited: ms };
    },
    "conformance.fail": (payload) => {
      const code = whole(payload, "code", "an integer");
      throw applicationFailure(code, optional(payload, "message", isText, "text") ?? "", payload.get("data"));
    },
    "conformance.throw": (payload) => {
      throw new Error(optional(payload, "text", isText, "text") ?? "");
    },
    "conformance.progress": async (payload, { report, signal }) => {
      const count = whole(payload, "count", "a count", 0n);
      for (let done = 1n; done <= count && !signal.aborted; done += 1n) {
        report(done);
        // Others get their turn.
        if (done % 64n === 0n) await sleep(0);
      }
      return { count };
    },
    "conformance.badProgress": (_, { report }) => {
      report(NaN);
      report(1);
      return { count: 1 };
    },
    "conformance.forget": () => undefined,
    "conformance.unencodable": () => ({ ok: true, bad: [1, NaN] }),
    "conformance.typed": (payload) => ({
      id: whole(payload, "id", "an integer"),
      price: required(payload, "price", isNumber, "a number"),
      tags: list(required(payload, "tags", Array.isArray, "an array"), "$.tags", isText, "text"),
      note: optional(payload, "note", isText, "text"),
    }),
    "conformance.callPage": (payload, call) =>
      call.request(required(payload, "event", isText, "text"), payload.get("payload")),
    "conformance.counter": (_, { session }) => {
      counts.set(session, (counts.get(session) ?? 0) + 1);
      return { count: counts.get(session) };
    },

    // As in the examples of the JSON-RPC specification; foobar and foo.get stay unknown.
    subtract: (payload) => {
      const [minuend, subtrahend] = Array.isArray(payload)
        ? list(payload, "$", isNumber, "a number")
        : ["minuend", "subtrahend"].map((name) => required(payload, name, isNumber, "a number"));
      if (subtrahend === undefined) throw invalidParams("$", "two numbers");
      return minuend.double - subtrahend.double;
    },
    sum: (payload) => list(payload, "$", isNumber, "a number").reduce((sum, { double }) => sum + double, 0),
    get_data: () => ["hello", 5],
    update: () => null,
    notify_hello: () => null,
    notify_sum: () => null,
  }));
}

// Reading payloads: what does not fit is −32602 with its place.

const isText = (value) => typeof value === "string";
const isNumber = (value) => value instanceof JSONNumber;

function optional(payload, name, fits, expected) {
  if (!(payload instanceof Map)) throw invalidParams("$", "an object");
  const value = payload.get(name);
  if (value === undefined || value === null) return undefined;
  if (!fits(value)) throw invalidParams(`$.${name}`, expected);
  return value;
}

function required(payload, name, fits, expected) {
  const value = optional(payload, name, fits, expected);
  if (value === undefined) throw invalidParams(`$.${name}`, expected);
  return value;
}

/** A whole number, exactly: a BigInt. */
function whole(payload, name, expected, least = -(2n ** 63n)) {
  const isWhole = (value) => isNumber(value) && value.integer !== undefined && value.integer >= least;
  return required(payload, name, isWhole, expected).integer;
}

function list(values, path, fits, expected) {
  if (!Array.isArray(values)) throw invalidParams(path, "an array");
  values.forEach((value, index) => {
    if (!fits(value)) throw invalidParams(`${path}[${index}]`, expected);
  });
  return values;
}
