/**
 * The tagged codec: what WebKit can serialise, as JSON (PROTOCOL.md, section 6). What JSON cannot say is an object with one
 * member whose name begins with `$`; a real object of that shape is wrapped in `$object`.
 */

/**
 * Encodes as WebKit serialises the body of a message.
 * @param {unknown} value
 * @returns {{json: unknown, isJSON: boolean}} The value for JSON.stringify; and whether it is JSON without any tag.
 * @throws {DOMException} DataCloneError where WebKit cannot serialise.
 */
export function encode(value) {
  const encoder = new Encoder(true);
  const json = encoder.encode(value);
  if (encoder.tags > 0 || encoder.wraps === 0) return { json, isJSON: encoder.tags === 0 };
  return { json: new Encoder(false).encode(value), isJSON: true };
}

/**
 * Like {@link encode}, for where the tagged form is wanted whatever the value.
 * @param {unknown} value
 * @returns {unknown}
 */
export function encodeTagged(value) {
  return new Encoder(true).encode(value);
}

/**
 * The value that {@link encode} was given.
 * @param {unknown} json
 * @returns {unknown}
 */
export function decode(json) {
  return decodeValue(json, []);
}

const PlainObject = {}.constructor;
// What a page may have put its own in place of by the time of a message.
const uncurried = (method) => Function.prototype.call.bind(method);
const tagText = uncurried(Object.prototype.toString);
const textOf = uncurried(Function.prototype.toString);
const sliceOf = uncurried(String.prototype.slice);
const matchOf = uncurried(RegExp.prototype.exec);
const timeOf = uncurried(Date.prototype.getTime);
const indexOf = uncurried(Map.prototype.get);
const remember = uncurried(Map.prototype.set);

function notCloneable() {
  return new DOMException("The object can not be cloned.", "DataCloneError");
}

/** What WebKit turns into an empty dictionary, whatever it holds, and what into null. */
const empty = oneOf("Map", "Set", "RegExp", "Error", "ArrayBuffer", "SharedArrayBuffer", "DataView", "Number", "Boolean");
const nothing = oneOf("Blob", "File", "FileList", "ImageData");
/** What WebKit passes on as undefined. */
const unknown = /^DOM(Point|Rect|Matrix|Quad)(ReadOnly)?$/;
const kind = (value) => sliceOf(tagText(value), 8, -1);

function oneOf(...list) {
  const found = { __proto__: null };
  for (const name of list) found[name] = true;
  return found;
}

class Encoder {
  tags = 0;
  wraps = 0;
  #seen = new Map();
  #count = 0;
  #wrapping;

  constructor(wrapping) {
    this.#wrapping = wrapping;
  }

  encode(value) {
    try {
      return this.#encode(value);
    } catch (error) {
      throw error instanceof RangeError ? notCloneable() : error; // too deep for the stack
    }
  }

  #encode(value) {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        if (Number.isFinite(value) && !Object.is(value, -0)) return value;
        return this.#tag("$number", Object.is(value, -0) ? "-0" : `${value}`);
      case "undefined":
      case "bigint":
        return this.#tag("$undefined", true);
      case "object":
        return value === null ? null : this.#object(value);
      default:
        throw notCloneable();
    }
  }

  #tag(name, value) {
    this.tags++;
    return { [name]: value };
  }

  #object(value) {
    if (value instanceof Date || kind(value) === "Date") {
      const time = timeOf(value);
      return this.#tag("$date", Number.isNaN(time) ? null : time);
    }
    const index = indexOf(this.#seen, value);
    if (index !== undefined) return this.#tag("$ref", index);
    if (Array.isArray(value)) {
      remember(this.#seen, value, this.#count++);
      return this.#elements(value);
    }
    const name = kind(value);
    if (name in nothing) return null;
    if (matchOf(unknown, name) !== null) return this.#tag("$undefined", true);
    if (!(name in empty) && !ArrayBuffer.isView(value) && !isRecord(value, name)) throw notCloneable();
    remember(this.#seen, value, this.#count++);
    return name in empty ? {} : this.#members(value);
  }

  #elements(array) {
    const result = [];
    const { length } = array;
    for (let index = 0; index < length; index++) result[index] = this.#encode(array[index]);
    return result;
  }

  #members(value) {
    const result = {};
    const keys = Object.keys(value);
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index];
      let member;
      try {
        member = value[key];
      } catch {
        continue; // WebKit skips a getter that throws
      }
      const encoded = this.#encode(member);
      if (key in result) Object.defineProperty(result, key, { value: encoded, enumerable: true });
      else result[key] = encoded;
    }
    if (keys.length !== 1 || keys[0][0] !== "$") return result;
    this.wraps++;
    return this.#wrapping ? { $object: result } : result;
  }
}

/** A plain object, an instance of the page's classes, or a boxed string: not one of the platform's objects. */
function isRecord(value, name) {
  if (name === "String" || name === "Arguments") return true;
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) return false;
  // The platform's interfaces and namespaces carry their name as a tag that is not the page's own doing.
  return name === "Object" || !isPlatformTag(value);
}

function isPlatformTag(value) {
  for (let object = value; object !== null; object = Object.getPrototypeOf(object)) {
    const tag = Object.getOwnPropertyDescriptor(object, Symbol.toStringTag);
    if (tag === undefined) continue;
    const { constructor } = object;
    if (typeof constructor !== "function" || constructor === PlainObject) return !tag.enumerable;
    return matchOf(/\{\s*\[native code\]\s*\}\s*$/, textOf(constructor)) !== null;
  }
  return false;
}

function decodeValue(json, seen) {
  if (json === null || typeof json !== "object") return json;
  if (Array.isArray(json)) {
    const array = [];
    seen[seen.length] = array;
    for (let index = 0; index < json.length; index++) array[index] = decodeValue(json[index], seen);
    return array;
  }
  const keys = Object.keys(json);
  if (keys.length === 1) {
    const content = json[keys[0]];
    switch (keys[0]) {
      case "$undefined":
        return undefined;
      case "$number":
        return +content;
      case "$date":
        return new Date(content ?? NaN);
      case "$ref":
        return seen[content];
      case "$object":
        if (typeof content === "object" && content !== null) return decodeMembers(content, seen);
    }
  }
  return decodeMembers(json, seen);
}

function decodeMembers(json, seen) {
  const object = {};
  seen[seen.length] = object;
  const keys = Object.keys(json);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    const value = decodeValue(json[key], seen);
    // Neither the prototype nor a setter that the page has put there.
    if (key in object) Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
    else object[key] = value;
  }
  return object;
}
