// Section 3 of PROTOCOL.md: answers, ids, order, what survives, values.

import {
  also, codeOf, down, downEach, downFailure, downValues, failureTo, idOf, instead, isAnswer, isCall, isEvent, isObject,
  isRequest, JSONNumber, number, object, read, resultOf, stringify, up, withID, withResult, without,
} from "./tools.mjs";

const idKey = (id) => stringify(id ?? null);
const changeIDs = (fits, change) => downEach((m) => (isAnswer(m) && fits(idOf(m)) ? withID(m, change(idOf(m))) : m));
const isNumber = (value) => value instanceof JSONNumber;
const isText = (value) => typeof value === "string";

/** Ids of requests in flight change places. */
const swapIDs = ({ toNative, toPage }) => {
  const inFlight = new Map();
  const swapped = new Map();
  return {
    up: (text) => {
      const message = read(text);
      if (isRequest(message)) inFlight.set(idKey(idOf(message)), idOf(message));
      toNative(text);
    },
    down: (text) => {
      const message = read(text);
      if (!isAnswer(message)) return toPage(text);
      const key = idKey(idOf(message));
      inFlight.delete(key);
      const [other] = inFlight.keys();
      if (!swapped.has(key) && other !== undefined) {
        swapped.set(key, inFlight.get(other)).set(other, idOf(message));
      }
      toPage(stringify(swapped.has(key) ? withID(message, swapped.get(key)) : message));
    },
  };
};

const staleIDs = (link) => {
  let last;
  return down((message) => {
    if (!isAnswer(message)) return message;
    const stale = withID(message, last ?? idOf(message));
    last = idOf(message);
    return stale;
  })(link);
};

/** A duplicate is one by the text of ids alone, whatever their kind. */
const idsAsText = ({ toNative, toPage }) => {
  const inFlight = new Set();
  const key = (id) => (isText(id) ? id : id?.text);
  return {
    up: (text) => {
      const message = read(text);
      if (isRequest(message) && inFlight.has(key(idOf(message)))) return toPage(failureTo(message, -32600));
      if (isRequest(message)) inFlight.add(key(idOf(message)));
      toNative(text);
    },
    down: (text) => {
      const message = read(text);
      if (isAnswer(message)) inFlight.delete(key(idOf(message)));
      toPage(text);
    },
  };
};

/** The session behind never sees one id twice. */
const acceptDuplicates = ({ toNative, toPage }) => {
  const originals = [];
  const isOwn = (id) => isText(id) && id.startsWith("own-");
  return {
    up: (text) => {
      const message = read(text);
      toNative(isRequest(message) ? stringify(withID(message, `own-${originals.push(idOf(message)) - 1}`)) : text);
    },
    down: (text) => {
      const message = read(text);
      const isOurs = isObject(message) && isOwn(idOf(message));
      toPage(isOurs ? stringify(withID(message, originals[idOf(message).slice(4)])) : text);
    },
  };
};

const reorder = ({ toNative }) => {
  let held = [];
  return {
    up: (text) => {
      if (held.push(text) > 1) return;
      setTimeout(() => {
        const texts = held.reverse();
        held = [];
        texts.forEach(toNative);
      }, 20);
    },
  };
};

const delayNotifications = ({ toNative }) => ({
  up: (text) => {
    const message = read(text);
    if (isEvent(message) && !isRequest(message)) setTimeout(toNative, 20, text);
    else toNative(text);
  },
});

/** One count for all connections. */
const countsStay = () => {
  let count = 0;
  return (link) => {
    const before = count;
    return down((message) => {
      const result = resultOf(message);
      if (!isObject(result) || !result.has("count")) return message;
      count = before + result.get("count").double;
      return withResult(message, object({ count: number(count) }));
    })(link);
  };
};

const answerStaleReplies = ({ toNative, toPage }) => {
  const calls = new Set();
  return {
    up: (text) => {
      const message = read(text);
      if (isAnswer(message) && !calls.delete(idKey(idOf(message)))) toPage(failureTo(message, -32600));
      else toNative(text);
    },
    down: (text) => {
      const message = read(text);
      if (isRequest(message)) calls.add(idKey(idOf(message)));
      toPage(text);
    },
  };
};

const countNotifications = (link) => {
  let count = 0;
  return instead((message) => {
    if (isCall(message, "conformance.wait") && !isRequest(message)) count += 1;
    return isRequest(message) && count > 16 ? failureTo(message, -32008) : undefined;
  })(link);
};

const firstDuplicateCounts = ({ toNative }) => ({
  up: (text) => toNative(text.replace('"a":1,"b":2,"a":3', '"a":1,"b":2')),
});

/** @type {[rule: string, fault: string, make: (link: object) => object, ends?: "ends"][]} */
export const laws = [
  ["L1", "a thrown error is not answered", downEach((m) => (codeOf(m) === -32000 ? undefined : m))],
  ["L1", "a forgotten request is never answered", downEach((m) => (codeOf(m) === -32003 ? undefined : m))],
  ["L1", "answers are sent twice", ({ toPage }) => ({ down: (text) => [text, text].forEach(toPage) })],
  ["L1", "a failure is an answer", downEach((m) => (codeOf(m) === 4001 ? withResult(m, null) : m))],
  ["L2", "ids of requests in flight are swapped", swapIDs],
  ["L2", "ids that are numbers come back as text", changeIDs((id) => isNumber(id) && id.double > 2, (id) => id.text)],
  ["L2", "ids come back as doubles", changeIDs(isNumber, (id) => number(id.double))],
  ["L2", "ids are normalised", changeIDs(isText, (id) => id.normalize("NFC"))],
  ["L2", "the id of an earlier request is echoed", staleIDs],
  ["L2", "the ids 1 and \"1\" are one", idsAsText],
  ["L3", "a duplicate id is accepted", acceptDuplicates],
  ["L3", "a duplicate is not told as one", downFailure(-32600, (error) => error.delete("data"))],
  ["L4", "handlers start in another order", reorder],
  ["L4", "notifications start later", delayNotifications],
  ["L5", "what is not JSON ends the session",
    ({ toNative, close }) => ({ up: (text) => (read(text) ?? text === "null" ? toNative(text) : close()) }), "ends"],
  ["L5", "what is not JSON is not answered", downEach((m) => (codeOf(m) === -32700 ? undefined : m))],
  ["L5", "what is no message is a parse error", downFailure(-32600, (error) => error.set("code", number(-32700)))],
  ["L5", "what is no message has lost its id", downEach((m) => (codeOf(m) === -32600 ? withID(m, null) : m))],
  ["L5", "a byte order mark is skipped", ({ toNative }) => ({ up: (text) => toNative(text.replace(/^\ufeff/, "")) })],
  ["L5", "a trailing comma is skipped",
    ({ toNative }) => ({ up: (text) => toNative(text.replace(/,([}\]])$/, "$1")) })],
  ["L6", "a count goes on in the next session", countsStay()],
  ["L6", "a request is carried out twice", ({ toNative }) => ({
    up: (text) => {
      if (isCall(read(text), "conformance.counter")) toNative('{"eventName":"conformance.counter"}');
      toNative(text);
    },
  })],
  ["L7", "a stale reply is answered", answerStaleReplies],
  ["L7", "a reply counts with its id as text",
    up((m) => (isAnswer(m) && /^\d+$/.test(idOf(m)) ? withID(m, number(idOf(m))) : m))],
  ["L8", "members of null are lost",
    downValues((v) => (isObject(v) && !v.has("requestId") ? new Map([...v].filter(([, m]) => m !== null)) : v))],
  ["L8", "numbers become doubles", downValues((v) => (isNumber(v) ? number(v.double) : v))],
  ["L8", "true becomes 1", downValues((v) => (typeof v === "boolean" ? number(Number(v)) : v))],
  ["L8", "members are sorted",
    downValues((v) => (isObject(v) && !v.has("requestId") ? new Map([...v].sort(([a], [b]) => (a < b ? -1 : 1))) : v))],
  ["L8", "lone surrogates are replaced", downValues((v) => (isText(v) ? Buffer.from(v).toString() : v))],
  ["L8", "text is normalised", downValues((v) => (isText(v) ? v.normalize("NFC") : v))],
  ["L8", "names are normalised",
    downValues((v) => (isObject(v) ? new Map([...v].map(([name, m]) => [name.normalize("NFC"), m])) : v))],
  ["L8", "the first of duplicate members counts", firstDuplicateCounts],
  ["L8", "__proto__ is no member", downValues((v) => (isObject(v) ? without(v, "__proto__") : v))],
  ["L8", "a null character ends text", downValues((v) => (isText(v) ? v.split("\0")[0] : v))],
  ["L8", "nested arrays are flattened", downValues((v) => (Array.isArray(v) && !v.some(isAnswer) ? v.flat() : v))],
  ["L8", "an empty array is an empty object", downValues((v) => (Array.isArray(v) && v.length === 0 ? new Map() : v))],
  ["L8", "text that looks like a number is one", downValues((v) => (v === "1" ? number(1) : v))],
  ["L9", "NaN becomes null",
    downEach((m) => (codeOf(m) === -32603 ? withResult(m, object({ ok: true, bad: [number(1), null] })) : m))],
  ["L9", "where NaN stands is not told", downFailure(-32603, (error) => error.delete("data"))],
  ["L10", "text is escaped as if for markup", downValues((v) => (isText(v) ? v.replaceAll("<", "&lt;") : v))],
  ["L11", "a cancel is ignored", up((m) => (isCall(m, "$/cancelRequest") ? undefined : m))],
  ["L11", "a cancelled handler answers too, later",
    instead((m) => (isCall(m, "$/cancelRequest") && !isRequest(m) && isEvent(m)
      ? failureTo(object({ requestId: m.get("id") }), -32800) : undefined))],
  ["L11", "cancelling what is settled is answered",
    also((m) => (isCall(m, "$/cancelRequest") && isEvent(m) && !isRequest(m)
      ? failureTo(object({ requestId: m.get("id") }), -32800) : undefined))],
  ["L12", "an unknown event has another code", downFailure(-32601, (error) => error.set("code", number(-32000)))],
  ["L12", "an unknown event is answered null", downEach((m) => (codeOf(m) === -32601 ? withResult(m, null) : m))],
  ["L12", "an unknown event comes before a duplicate",
    instead((m) => (isCall(m, "conformance.nothing") && isRequest(m) ? failureTo(m, -32601) : undefined))],
  ["L12", "requests over the limit in flight are not answered",
    downEach((m) => (codeOf(m) === -32008 ? undefined : m))],
  ["L13", "progress that cannot be sent fails its request",
    instead((m) => (isCall(m, "conformance.badProgress") && isRequest(m) ? failureTo(m, -32603) : undefined))],
  ["L13", "progress that cannot be sent is sent as null", ({ toNative, toPage }) => ({
    up: (text) => {
      const message = read(text);
      if (isCall(message, "conformance.badProgress")) toPage(stringify({ requestId: idOf(message), progress: null }));
      toNative(text);
    },
  })],
  ["L13", "progress over the limit is sent", ({ toNative, toPage }) => ({
    up: (text) => {
      const message = read(text);
      if (text.length > 1_000 && isCall(message, "conformance.badProgress")) {
        toPage(stringify({ jsonrpc: "2.0", method: "$/progress", params: { id: message.get("id"), value: 1 } }));
      }
      toNative(text);
    },
  })],
  ["L14", "notifications count as in flight", countNotifications],
  ["L14", "notifications need a place", ({ toNative }) => {
    let count = 0;
    return {
      up: (text) => {
        const message = read(text);
        if (isRequest(message)) count += 1;
        if (isRequest(message) || count < 16) toNative(text);
      },
    };
  }],
];
