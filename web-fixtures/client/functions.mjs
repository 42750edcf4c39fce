import { encode } from "./codec.mjs";
import { BridgeError, codes, describe, invalidParams } from "./errors.mjs";

/**
 * Calls a function that the page defines, by its path on `window`, such as "app.ui.updateTitle". Nothing is evaluated:
 * what the browser itself defines (`eval`, `setTimeout`, …) cannot be called.
 * @param {Window} window
 * @param {{name: string, arguments?: unknown[]}} params
 * @returns {Promise<unknown>} What it returns or resolves to.
 */
export async function callFunction(window, { name, arguments: values = [] }) {
  if (typeof name !== "string" || name === "") throw invalidParams("$.name", "the path of a function on window");
  if (!Array.isArray(values)) throw invalidParams("$.arguments", "an array");
  let { owner, method, reason } = find(window, name);
  if (reason !== undefined && window.document.readyState !== "complete") {
    await new Promise((resolve) => window.addEventListener("load", () => setTimeout(resolve), { once: true }));
    ({ owner, method, reason } = find(window, name));
  }
  if (reason !== undefined) {
    throw new BridgeError(codes.methodNotFound, "Method not found", { data: { eventName: "$/page.callFunction", name, reason } });
  }
  let result;
  try {
    result = await Reflect.apply(method, owner, values);
  } catch (error) {
    throw scriptException(error);
  }
  checkResult(result);
  return result;
}

/** The function at a path and the object it is called on, as `a.b.c()` would; or why there is none. */
function find(window, path) {
  const names = path.split(".");
  let owner, value = window;
  for (const [index, name] of names.entries()) {
    owner = value;
    try {
      if (!isReachable(owner, name)) return { reason: `the page has no ${names.slice(0, index + 1).join(".")}` };
      value = owner[name];
    } catch (error) {
      throw scriptException(error); // a getter of the page, or a Proxy
    }
  }
  if (typeof value !== "function") return { reason: `${path} is no function` };
  if (!isDefinedByPage(value)) return { reason: `${path} is the browser's own: only functions that the page defines are called` };
  return { owner: names.length === 1 ? window : owner, method: value };
}

/** A member of the object or of its class, but nothing that every object has, such as `constructor`. */
function isReachable(object, name) {
  if (object === null || (typeof object !== "object" && typeof object !== "function")) return false;
  if (Object.hasOwn(object, name)) return true;
  for (let holder = Object.getPrototypeOf(object); holder !== null; holder = Object.getPrototypeOf(holder)) {
    if (Object.hasOwn(holder, name)) return name !== "constructor" && name !== "__proto__";
  }
  return false;
}

/**
 * The browser's own functions are printed without a program, but with their name. A Proxy of a function has no program
 * either; it is printed without a name, or in WebKit as ProxyObject. So is what `bind` makes, which WebKit prints with one.
 */
function isDefinedByPage(method) {
  const isNative = /^function (?!ProxyObject\()[^\s(].*\{\s*\[native code\]\s*\}\s*$/.test(Function.prototype.toString.call(method));
  return !isNative || method.name?.startsWith?.("bound ");
}

/** A result by WebKit's rules: what cannot be cloned is no result, nor is what JSON cannot hold. */
function checkResult(result) {
  try {
    encode(result);
    JSON.stringify(result);
  } catch (error) {
    throw unsupported(error.message);
  }
}

/**
 * The failure for what script returned and cannot be sent; the message is WebKit's.
 * @param {string} help
 * @returns {BridgeError}
 */
export function unsupported(help) {
  return new BridgeError(codes.unsupportedResult, "JavaScript execution returned a result of an unsupported type", { data: { help } });
}

/**
 * The failure for what script threw.
 * @param {unknown} error
 * @param {boolean} [hasPosition] Whether a line and column are told.
 * @returns {BridgeError}
 */
export function scriptException(error, hasPosition = true) {
  const message = describe(error);
  const isError = error instanceof Error || (typeof error === "object" && error !== null && "stack" in error);
  const data = {
    name: isError ? String(error.name) : undefined,
    message: isError ? String(error.message) : message,
    stack: isError && error.stack !== undefined ? String(error.stack) : undefined,
    ...(isError && hasPosition ? position(error) : undefined),
  };
  return new BridgeError(codes.scriptException, message, { data });
}

/** WebKit and Firefox say where; elsewhere it stands in the first frame of the stack. */
function position({ line, column, lineNumber, columnNumber, stack }) {
  if (typeof (line ?? lineNumber) === "number") return { line: line ?? lineNumber, column: column ?? columnNumber };
  const frame = String(stack ?? "").split("\n").find((text) => /:\d+:\d+\)?$/.test(text));
  const [, first, second] = frame?.match(/:(\d+):(\d+)\)?$/) ?? [];
  return first === undefined ? {} : { line: Number(first), column: Number(second) };
}
