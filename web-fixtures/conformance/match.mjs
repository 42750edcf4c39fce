/** Placeholders and comparison, as the vectors' page says (web-fixtures/vectors/README.md). */

const placeholder = /^\{\{(#?)([\w-]+)\}\}$/;
const open = "{{...}}";
const kinds = {
  _: () => true,
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

let last = Math.floor(Math.random() * 1e6) * 1000;
const seed = Math.random().toString(36).slice(2, 8);

/** A value with its placeholders filled in; those without a value become ids that nothing else has. */
export function fill(value, bindings) {
  if (typeof value === "string") {
    const [, isNumber, name] = value.match(placeholder) ?? [];
    if (name === undefined) return value.replaceAll("{{host}}", location.host);
    if (!bindings.has(name)) bindings.set(name, isNumber ? ++last : `${name}-${seed}-${++last}`);
    return bindings.get(name);
  }
  if (Array.isArray(value)) return value.map((element) => fill(element, bindings));
  if (value === null || typeof value !== "object") return value;
  return mapMembers(value, (member) => fill(member, bindings));
}

/** `__proto__` is a member like any other. */
function mapMembers(object, transform) {
  const result = {};
  for (const key of Object.keys(object)) {
    Object.defineProperty(result, key, { value: transform(object[key]), enumerable: true, writable: true, configurable: true });
  }
  return result;
}

/**
 * The first difference between what is expected and what came, or undefined. What a placeholder takes is put into
 * `bindings`.
 * @returns {{path: (string | number)[], expected: unknown, got: unknown} | undefined} Undefined for what is missing.
 */
export function difference(expected, got, bindings, path = []) {
  if (typeof expected === "string") {
    const [, , name] = expected.match(placeholder) ?? [];
    if (name !== undefined) return differenceFromPlaceholder(name, expected, got, bindings, path);
    expected = expected.replaceAll("{{host}}", location.host);
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(got)) return { path, expected, got };
    for (let index = 0; index < Math.max(expected.length, got.length); index++) {
      const place = [...path, index];
      if (index >= expected.length || index >= got.length) return { path: place, expected: expected[index], got: got[index] };
      const found = difference(expected[index], got[index], bindings, place);
      if (found) return found;
    }
    return undefined;
  }
  if (kinds.object(expected)) return differenceOfObjects(expected, got, bindings, path);
  return Object.is(expected, got) || expected === got ? undefined : { path, expected, got };
}

function differenceFromPlaceholder(name, expected, got, bindings, path) {
  if (Object.hasOwn(kinds, name)) return kinds[name](got) ? undefined : { path, expected, got };
  if (bindings.has(name)) return difference(bindings.get(name), got, new Map(), path);
  if (got === undefined) return { path, expected, got };
  bindings.set(name, got);
  return undefined;
}

function differenceOfObjects(expected, got, bindings, path) {
  if (!kinds.object(got)) return { path, expected, got };
  const isOpen = expected[open] === true;
  for (const key of Object.keys(expected)) {
    if (key === open && isOpen) continue;
    const place = [...path, key];
    if (!Object.hasOwn(got, key)) return { path: place, expected: expected[key], got: undefined };
    const found = difference(expected[key], got[key], bindings, place);
    if (found) return found;
  }
  if (isOpen) return undefined;
  const more = Object.keys(got).find((key) => !Object.hasOwn(expected, key));
  return more === undefined ? undefined : { path: [...path, more], expected: undefined, got: got[more] };
}

/** Members that say which message it is. */
const marking = ["requestId", "eventName"];

/**
 * How near what came is to a message that it is not: whether it has its id and name, how many of its members, and how
 * deep the first difference is. The rule is that of Fit.swift.
 */
export function nearness(expected, got, { path }, bindings) {
  const names = Object.keys(Object(expected)).filter((name) => Object.hasOwn(Object(got), name));
  const marks = names.filter((name) => marking.includes(name) && !difference(expected[name], got[name], new Map(bindings)));
  return [marks.length, names.length, path.length];
}

/** Whether the first nearness is the greater. */
export function isNearer(left, right) {
  const index = left.findIndex((part, place) => part !== right[place]);
  return index >= 0 && left[index] > right[index];
}
