// Section 2 of PROTOCOL.md: what a message is, notifications, batches, progress, cancelling.

import {
  also, codeOf, down, downEach, failureTo, idOf, instead, isAnswer, isCall, isEvent, isObject, isRequest, isRPC,
  JSONNumber, number, object, read, responseTo, resultOf, stringify, up, withResult, without,
} from "./tools.mjs";

const isNotification = (m) => isEvent(m) && !isRequest(m);
/** A message of the page that has something wrong is made right. */
const tolerate = (isWrong, change) => up((m) => (isObject(m) && isWrong(m) ? change(m) : m));
const cancelsWithID = (m) => isCall(m, "$/cancelRequest") && isRequest(m);

const overwriteReserved = down((m) =>
  (isCall(m, "ask") && isObject(m.get("params"))
    ? new Map([["requestId", m.get("id")], ["eventName", "ask"], ...m.get("params")]) : m));

const progressLast = ({ toPage }) => {
  const held = [];
  return {
    down: (text) => {
      const message = read(text);
      if (isObject(message) && (message.has("progress") || isCall(message, "$/progress"))) return held.push(text);
      toPage(text);
      held.splice(0).forEach(toPage);
    },
  };
};

const inPieces = ({ toPage }) => ({
  down: (text) => {
    const message = read(text);
    for (const element of Array.isArray(message) ? message : [message]) toPage(stringify(element));
  },
});

/** @type {[rule: string, fault: string, make: (link: object) => object][]} */
export const dialects = [
  ["D1", "replies are answered", instead((m) => (isAnswer(m) ? failureTo(m, -32600) : undefined))],
  ["D1", "an event with a method is JSON-RPC",
    tolerate((m) => m.has("method"), (m) => new Map(m).set("jsonrpc", "2.0"))],
  ["D1", "an eventName counts before jsonrpc", tolerate((m) => m.has("eventName"), (m) => without(m, "jsonrpc"))],
  ["D1", "a request with a result is a reply", tolerate((m) => m.has("result"), (m) => without(m, "method"))],
  ["D2", "a notification is answered", also((m) => (isNotification(m) ? responseTo(m, null) : undefined))],
  ["D2", "a notification that throws is answered",
    also((m) => (isNotification(m) && isCall(m, "conformance.throw") ? failureTo(m, -32000) : undefined))],
  ["D2", "an unknown notification is answered",
    also((m) => (isNotification(m) && isCall(m, "conformance.nothing") ? failureTo(m, -32601) : undefined))],
  ["D3", "members named as in JSON-RPC are no payload",
    tolerate((m) => isEvent(m) && !isCall(m, "$/cancelRequest"),
      (m) => without(m, "id", "method", "params", "result"))],
  ["D3", "reserved names of a payload become the event's own", overwriteReserved],
  ["D3", "an array is sent as an event",
    down((m) => (isCall(m, "ask") && Array.isArray(m.get("params"))
      ? object({ requestId: m.get("id"), eventName: "ask", payload: m.get("params") }) : m))],
  ["D3", "text is sent as an empty payload",
    tolerate((m) => isCall(m, "conformance.callPage") && typeof m.get("payload") !== "object",
      (m) => new Map(m).set("payload", new Map()))],
  ["D4", "params may be anything",
    tolerate((m) => isRPC(m) && m.has("params")
      && (typeof m.get("params") !== "object" || m.get("params") instanceof JSONNumber),
        (m) => new Map(m).set("params", []))],
  ["D4", "params of null are invalid",
    instead((m) => (isRPC(m) && m.get("params") === null ? failureTo(m, -32600) : undefined))],
  ["D4", "params by position come as one by name",
    tolerate((m) => isRPC(m) && Array.isArray(m.get("params")),
      (m) => new Map(m).set("params", object({ 0: m.get("params")[0] ?? null })))],
  ["D5", "the id 0 makes a notification",
    tolerate((m) => isRPC(m) && m.get("id")?.text === "0", (m) => without(m, "id"))],
  ["D5", "an empty id makes a notification", tolerate((m) => isRPC(m) && m.get("id") === "", (m) => without(m, "id"))],
  ["D5", "the id null makes a notification",
    tolerate((m) => isRPC(m) && m.get("id") === null, (m) => without(m, "id"))],
  ["D5", "an id may be anything",
    tolerate((m) => isRPC(m) && [Map, Array, Boolean].includes(m.get("id")?.constructor),
      (m) => new Map(m).set("id", null))],
  ["D6", "the version is not looked at", tolerate(isRPC, (m) => new Map(m).set("jsonrpc", "2.0"))],
  ["D6", "the number 2.0 is a version",
    tolerate((m) => isRPC(m) && m.get("jsonrpc") instanceof JSONNumber, (m) => new Map(m).set("jsonrpc", "2.0"))],
  ["D7", "progress comes after the end", progressLast],
  ["D7", "progress is always an event",
    down((m) => (isCall(m, "$/progress")
      ? object({ requestId: m.get("params").get("id"), progress: m.get("params").get("value") }) : m))],
  ["D7", "the first progress is not sent",
    down((m) => (isObject(m) && m.get("progress")?.text === "1" ? undefined : m))],
  ["D7", "progress of a notification is sent",
    also((m) => (isCall(m, "conformance.progress") && isNotification(m)
      ? '{"requestId":null,"progress":1}' : undefined))],
  ["D8", "a cancel with an id is not answered",
    tolerate(cancelsWithID, (m) => (isRPC(m) ? without(m, "id") : without(m, "requestId")))],
  ["D8", "a cancel is answered with true", downEach((m) => (resultOf(m) === null ? withResult(m, true) : m))],
  ["D9", "an unknown request of the protocol is ignored", tolerate((m) => isCall(m, "$/nothing"), () => undefined)],
  ["D9", "an unknown notification of the protocol is refused",
    instead((m) => (isCall(m, "$/nothing") && !isRequest(m) ? failureTo(m, -32601) : undefined))],
  ["D10", "elements that are no requests are left out",
    down((m) => (Array.isArray(m) ? m.filter((e) => codeOf(e) !== -32600) : m))],
  ["D10", "elements start in another order", up((m) => (Array.isArray(m) ? m.toReversed?.() ?? [...m].reverse() : m))],
  ["D10", "an event in a batch is carried out",
    up((m) => (Array.isArray(m) ? m.map((e) => (isEvent(e)
      ? object({ jsonrpc: "2.0", method: e.get("eventName"), id: e.get("requestId") ?? null }) : e)) : m))],
  ["D11", "a batch is answered in pieces", inPieces],
  ["D11", "a batch of one is answered by an object", down((m) => (Array.isArray(m) && m.length === 1 ? m[0] : m))],
  ["D11", "a batch of notifications is answered",
    also((m) => (Array.isArray(m) && m.length > 0 && !m.some(isRequest) && m.every(isObject) ? "[]" : undefined))],
  ["D12", "an empty batch is answered by an empty one",
    instead((m) => (Array.isArray(m) && m.length === 0 ? "[]" : undefined))],
  ["D12", "a batch over the limit is carried out in part", up((m) => (Array.isArray(m) ? m.slice(0, 100) : m))],
  ["D13", "the native side speaks before hello", ({ toPage }) => {
    setTimeout(toPage, 0, '{"eventName":"$/eventsChanged","events":[]}');
    return {};
  }],
  ["D13", "what comes before hello is refused", (link) => {
    let isGreeted = false;
    return instead((m) => {
      // The runner asks what the target claims before anything else.
      isGreeted ||= isCall(m, "$/hello") || isCall(m, "conformance.profiles");
      return !isGreeted && isRequest(m) ? failureTo(m, -32600) : undefined;
    })(link);
  }],
  ["D14", "a requestId of null makes a notification",
    tolerate((m) => m.get("requestId") === null, (m) => without(m, "requestId"))],
  ["D14", "a requestId may be anything",
    tolerate((m) => isEvent(m) && [Map, Array, Boolean].includes(m.get("requestId")?.constructor),
      (m) => new Map(m).set("requestId", stringify(m.get("requestId"))))],
  ["D15", "a response counts before an error",
    tolerate((m) => isAnswer(m) && (m.has("response") || m.has("result")), (m) => without(m, "error"))],
  ["D15", "an error of null is a failure",
    tolerate((m) => isAnswer(m) && m.get("error") === null, (m) => without(m, "response", "result"))],
  ["D15", "an error without a code passes as it is", downEach((m) => {
    const data = codeOf(m) === -32603 ? m.get("error").get("data") : undefined;
    return isObject(data) && data.has("error") ? new Map(m).set("error", data.get("error")) : m;
  })],
  ["D16", "no members are null",
    downEach((m) => (isObject(resultOf(m)) && resultOf(m).size === 0 ? withResult(m, null) : m))],
  ["D17", "answers of a batch stand in another order", down((m) => (Array.isArray(m) ? [...m].reverse() : m))],
  ["D17", "an id of a batch is free before its array",
    instead((m) => (isCall(m, "conformance.echo") && isRPC(m) && idOf(m) === "x"
      ? responseTo(m, m.get("params") ?? new Map()) : undefined))],
  ["D18", "a cancel without an id is answered null", downEach((m) => (codeOf(m) === -32602 ? withResult(m, null) : m))],
  ["D18", "a notification to cancel without an id is refused",
    also((m) => (isCall(m, "$/cancelRequest") && isNotification(m) && typeof m.get("id") !== "string"
      ? failureTo(m, -32602) : undefined))],
  ["D7", "progress has another id",
    down((m) => (isObject(m) && m.has("progress") ? new Map(m).set("requestId", number(0)) : m))],
];
