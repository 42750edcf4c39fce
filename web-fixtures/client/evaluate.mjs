/**
 * Evaluation by WebKit's rules, for pages that ask for it with `data-allow-evaluate`: the one module that turns text into
 * program.
 * @module
 */
import { decode, encodeTagged } from "./codec.mjs";
import { invalidParams } from "./errors.mjs";
import { noEvaluation } from "./evaluation.mjs";
import { scriptException, unsupported } from "./functions.mjs";

/**
 * Runs a program, as `evaluateJavaScript` does: the result is its completion value; promises are not awaited.
 * @param {Window} window
 * @param {{script: string}} params
 * @returns {unknown} The result in the tagged codec.
 */
export function evaluate(window, { script }) {
  if (typeof script !== "string") throw invalidParams("$.script", "a string");
  probe(window, "$/page.evaluate");
  let result;
  try {
    result = (0, window.eval)(script);
  } catch (error) {
    throw scriptException(error);
  }
  return encodeResult(result);
}

/**
 * Runs a body as `callAsyncJavaScript` does: as an async function of the arguments' names, called on the window. The
 * values never become program text.
 * @param {Window} window
 * @param {{body: string, arguments?: Record<string, unknown>}} params Arguments in the tagged codec.
 * @returns {Promise<unknown>} The result in the tagged codec.
 */
export async function call(window, { body, arguments: values = {} }) {
  if (typeof body !== "string") throw invalidParams("$.body", "a string");
  if (values === null || typeof values !== "object" || Array.isArray(values)) throw invalidParams("$.arguments", "an object");
  const names = Object.keys(values);
  for (const name of names) {
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) throw invalidParams(`$.arguments[${JSON.stringify(name)}]`, "a name");
  }
  probe(window, "$/page.call");
  let method;
  try {
    method = (0, window.eval)(`(async function(${names.join(",")}){${body}})`);
  } catch (error) {
    throw scriptException(error);
  }
  // The arguments are one value to the codec, so that they can refer to each other.
  const decoded = decode(names.length === 1 && names[0].startsWith("$") ? { $object: values } : values);
  let result;
  try {
    result = await untilUnreachable(method.apply(window, names.map((name) => decoded[name])));
  } catch (error) {
    throw scriptException(error, false);
  }
  return encodeResult(result);
}

/** Whether the page's Content-Security-Policy lets text become program at all. */
function probe(window, eventName) {
  try {
    (0, window.eval)("0");
  } catch (error) {
    throw noEvaluation(eventName, `the page's Content-Security-Policy does not allow evaluation (script-src 'unsafe-eval'): ${error.message}`);
  }
}

const unreachable = "Completion handler for function call is no longer reachable";

const lost = new FinalizationRegistry((reject) => reject(unreachable));

/** Rejects when the promise is garbage, and so will never settle: then what it would call is garbage too. */
function untilUnreachable(promise) {
  return new Promise((resolve, reject) => {
    const settlers = { resolve, reject };
    lost.register(settlers, reject);
    promise.then((value) => settlers.resolve(value), (error) => settlers.reject(error));
  });
}

function encodeResult(result) {
  try {
    return encodeTagged(result);
  } catch (error) {
    throw unsupported(error.message);
  }
}
