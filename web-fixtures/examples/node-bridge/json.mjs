// JSON as the protocol wants it (rule L8): what JSON.parse loses is kept.
//
// | JSON          | here                                                                                     |
// |---------------|------------------------------------------------------------------------------------------|
// | number        | a JSONNumber, which has the digits as they were written: 1.0, -0, 30 digits              |
// | object        | a Map: members in order, the last of duplicate names counts, `__proto__` is a name       |
// | string        | a string; JavaScript's may hold lone surrogates, and JSON.stringify writes their escapes |
// | the rest      | arrays, booleans, null                                                                   |

/** A number as it is written. */
export class JSONNumber {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  /** The same text for the same value, however it is written: 1, 1.0 and 10e-1 have one key. */
  get key() {
    const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(this.text);
    const digits = (whole + fraction).replace(/^0+/, "");
    const significant = digits.replace(/0+$/, "");
    if (significant === "") return "0";
    // An exponent may have any number of digits.
    const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
    return `${sign}${significant}e${power}`;
  }

  /** The whole number as a BigInt, if it is one that 64 bits hold; else undefined. */
  get integer() {
    const [, digits, power] = /^(-?\d+)(?:e(-?\d+))?$/.exec(this.key);
    if (power !== undefined && (power.startsWith("-") || power.length > 2)) return undefined;
    const value = BigInt(digits) * 10n ** BigInt(power ?? 0);
    return BigInt.asIntN(64, value) === value ? value : undefined;
  }

  /** The nearest double. */
  get double() {
    return Number(this.text);
  }
}

/** Text that is not JSON, or is nested too deeply. */
export class JSONError extends Error {}

/**
 * Reads one JSON text.
 * @param {string} text
 * @param {number} nesting how many arrays and objects may be inside one another
 */
export function parse(text, nesting) {
  let at = 0;

  const fail = (expected) => {
    throw new JSONError(`expected ${expected} at character ${at}`);
  };
  const skipSpace = () => {
    while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at += 1;
  };
  const take = (expression) => {
    expression.lastIndex = at;
    const found = expression.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };

  const string = () => {
    if (text[at] !== '"') fail("a string");
    let end = at + 1;
    while (text[end] !== '"') {
      if (end >= text.length) throw new JSONError("a string does not end");
      end += text[end] === "\\" ? 2 : 1;
    }
    const raw = text.slice(at, end + 1);
    at = end + 1;
    try {
      return JSON.parse(raw);
    } catch {
      throw new JSONError(`a string has an escape that is none, or a control character, before character ${at}`);
    }
  };

  const value = (depth) => {
    skipSpace();
    switch (text[at]) {
      case '"': return string();
      case "{": return object(depth + 1);
      case "[": return array(depth + 1);
    }
    switch (take(/true|false|null/y)) {
      case "true": return true;
      case "false": return false;
      case "null": return null;
    }
    const number = take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    return number === undefined ? fail("a value") : new JSONNumber(number);
  };

  /** What is between brackets: elements and commas, up to `close`. */
  const list = (depth, close, element) => {
    if (depth > nesting) throw new JSONError(`more than ${nesting} levels of nesting`);
    at += 1;
    skipSpace();
    if (text[at] === close) {
      at += 1;
      return;
    }
    for (;;) {
      element();
      skipSpace();
      const next = text[at];
      if (next !== "," && next !== close) fail(`a comma or ${close}`);
      at += 1;
      if (next === close) return;
    }
  };
  const array = (depth) => {
    const elements = [];
    list(depth, "]", () => elements.push(value(depth)));
    return elements;
  };
  const object = (depth) => {
    const members = new Map();
    list(depth, "}", () => {
      skipSpace();
      const name = string();
      skipSpace();
      if (text[at] !== ":") fail("a colon");
      at += 1;
      members.set(name, value(depth));
    });
    return members;
  };

  const result = value(0);
  skipSpace();
  if (at < text.length) fail("the end");
  return result;
}

/** A value that JSON cannot say, and where it stands (rule L9). */
export class EncodingError extends Error {
  constructor(path) {
    super(`${path}: JSON cannot say this`);
    this.path = path;
  }
}

/** How deeply a message may be nested that is sent (rule L9). */
const deepest = 1024;

/**
 * Writes a value: those that `parse` gives, and JavaScript's own numbers and plain objects.
 * @param {string} path where the value stands, for the error
 */
export function stringify(value, path = "$", depth = 0) {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (value instanceof JSONNumber) return value.text;
  if (typeof value === "number" && Number.isFinite(value)) return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || depth >= deepest) throw new EncodingError(path);
  if (Array.isArray(value)) {
    return `[${value.map((element, index) => stringify(element, `${path}[${index}]`, depth + 1)).join(",")}]`;
  }
  const members = [];
  for (const [name, member] of value instanceof Map ? value : Object.entries(value)) {
    // As in JSON.stringify, an undefined member is none.
    if (member === undefined) continue;
    members.push(`${JSON.stringify(name)}:${stringify(member, memberPath(path, name), depth + 1)}`);
  }
  return `{${members.join(",")}}`;
}

/** The path of a member: `$.items`, `$["a b"]`. */
export function memberPath(path, name) {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}
