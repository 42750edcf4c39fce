// The tagged codec (PROTOCOL.md, rules S5 and S6): what a page posts that JSON cannot say.

import { invalidParams } from "./failure.mjs";
import { JSONNumber, memberPath } from "./json.mjs";

/** How many values references may repeat: a few of them must not stand for millions. */
const mostRepeated = 100_000;

/**
 * The plain value: an undefined member is missing, undefined in an array is null, a date is text.
 * @throws a failure of code −32602 with the path of what has no plain value
 */
export function readTagged(json) {
  /** Arrays and objects in the order in which they begin; undefined until they end. */
  const begun = [];
  let repeated = 0;

  const read = (value, path) => {
    if (Array.isArray(value)) {
      return whole(() => value.map((element, at) => read(element, `${path}[${at}]`) ?? null));
    }
    if (!(value instanceof Map)) return value;
    const tag = tagOf(value);
    return tag === undefined ? members(value, path) : tagged(tag, value.get(tag), path);
  };

  const whole = (make) => {
    const index = begun.push(undefined) - 1;
    begun[index] = make();
    return begun[index];
  };

  const members = (object, path) => whole(() => {
    const result = new Map();
    for (const [name, member] of object) {
      const value = read(member, memberPath(path, name));
      if (value !== undefined) result.set(name, value);
    }
    return result;
  });

  const tagged = (tag, content, path) => {
    const number = content instanceof JSONNumber ? content.integer : undefined;
    if (tag === "$undefined" && content === true) return undefined;
    if (tag === "$number" && content === "-0") return new JSONNumber("-0");
    if (tag === "$date" && number !== undefined && number >= -864n * 10n ** 13n && number <= 864n * 10n ** 13n) {
      return new Date(Number(number)).toISOString();
    }
    if (tag === "$object" && content instanceof Map) return members(content, path);
    if (tag === "$ref" && number !== undefined) {
      const target = begun[number];
      repeated += target === undefined ? 0 : sizeOf(target);
      if (target === undefined || repeated > mostRepeated) throw invalidParams(path, "a value that ended earlier");
      return target;
    }
    throw invalidParams(path, "what JSON can say");
  };

  return read(json, "$");
}

/** The tagged form of a plain value. */
export function writeTagged(value) {
  if (Array.isArray(value)) return value.map(writeTagged);
  if (!(value instanceof Map)) return value;
  const copy = new Map([...value].map(([name, member]) => [name, writeTagged(member)]));
  return tagOf(value) === undefined ? copy : new Map([["$object", copy]]);
}

/** The only key of an object, if it begins with `$`. */
function tagOf(object) {
  const [name] = object.keys();
  return object.size === 1 && name.startsWith("$") ? name : undefined;
}

function sizeOf(value) {
  if (value === null || typeof value !== "object" || value instanceof JSONNumber) return 1;
  return [...value.values()].reduce((size, member) => size + sizeOf(member), 1);
}
