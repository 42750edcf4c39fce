import { decode } from "./codec.mjs";
import { BridgeError, codes, invalidParams } from "./errors.mjs";

/** How long after a session has begun what an earlier one drew stays, in milliseconds, if the native side does not ask. */
const afterglow = 2000;

/**
 * Answers `$/page.overlays` with overlays.mjs, which is loaded when the native side first asks, and tells of the overlays
 * by notifications of that name.
 * @param {Window} window
 * @param {() => Promise<object>} load Imports overlays.mjs.
 * @returns {Function} A part of the bridge.
 */
export function overlays(window, load) {
  return (core) => {
    let drawn;
    let isOld = false;
    let timer;
    const clear = () => {
      drawn?.remove();
      drawn = undefined;
      isOld = false;
    };
    // A native side that has just begun numbers its views anew; until it asks, the page keeps the room for them.
    core.greeted.add(() => {
      isOld = drawn !== undefined;
      clearTimeout(timer);
      if (isOld) timer = setTimeout(clear, afterglow);
    });
    let module;
    core.protocol.set("$/page.overlays", async ({ wanted }, { signal }) => {
      const { overlays: list, ...rest } = Object(decode(wanted));
      if (!Array.isArray(list)) throw invalidParams("$.wanted.overlays", "an array");
      module ??= load();
      const { Overlays } = await module.catch((error) => {
        module = undefined;
        const reason = `overlays.mjs could not be loaded: ${error.message}`;
        throw new BridgeError(codes.methodNotFound, "Method not found", { data: { eventName: "$/page.overlays", reason } });
      });
      if (signal.aborted) return null; // a later session may have asked for something else by now
      if (isOld) clear();
      clearTimeout(timer);
      drawn ??= new Overlays(window, (message) => core.tell("$/page.overlays", message));
      try {
        const measurement = drawn.apply({ ...rest, overlays: list });
        if (list.length === 0 && !rest.explain && !rest.safeArea) clear(); // a page that nothing is wanted of is not watched
        return measurement;
      } catch (error) {
        throw new BridgeError(codes.invalidParams, "Invalid params", { data: { path: "$.wanted", help: error.message } });
      }
    });
  };
}
