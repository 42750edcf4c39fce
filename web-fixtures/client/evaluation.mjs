import { BridgeError, codes } from "./errors.mjs";

/**
 * Answers `$/page.evaluate` and `$/page.call` with evaluate.mjs, which is loaded only for pages that allow evaluation.
 * @param {Window} window
 * @param {() => Promise<object>} load Imports evaluate.mjs.
 * @returns {Function} A part of the bridge.
 */
export function evaluation(window, load) {
  return (core) => {
    const module = load().catch((error) => ({ error }));
    const answer = (eventName, body) => async (params) => {
      const { error, ...functions } = await module;
      if (error) throw noEvaluation(eventName, `evaluate.mjs could not be loaded: ${error.message}`);
      return body(functions, params);
    };
    core.protocol.set("$/page.evaluate", answer("$/page.evaluate", ({ evaluate }, params) => evaluate(window, params)));
    core.protocol.set("$/page.call", answer("$/page.call", ({ call }, params) => call(window, params)));
  };
}

/**
 * The failure of an evaluation in a page where there is none.
 * @param {string} eventName
 * @param {string} reason
 * @returns {BridgeError}
 */
export function noEvaluation(eventName, reason) {
  return new BridgeError(codes.methodNotFound, "Method not found", { data: { eventName, reason } });
}
