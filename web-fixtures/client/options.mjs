/** What each option of a request has to be, and whether a value is. */
const kinds = {
  signal: ["an AbortSignal, such as controller.signal", ({ aborted, addEventListener }) => typeof aborted === "boolean" && typeof addEventListener === "function"],
  timeout: ["a number of milliseconds", (value) => typeof value === "number" && !Number.isNaN(value)],
  onProgress: ["a function", (value) => typeof value === "function"],
};

/**
 * The options of a request. A slip, such as a controller in the place of its signal, is told before anything is sent.
 * @param {unknown} options
 * @returns {{signal?: AbortSignal, timeout?: number, onProgress?: (value: unknown) => void}}
 * @throws {TypeError}
 */
export function checkOptions(options) {
  if (options === undefined || options === null) return {};
  if (typeof options !== "object") throw new TypeError("bridge.request: the options have to be an object, such as { timeout: 1000 }");
  const { signal, timeout, onProgress } = options;
  const checked = { signal, timeout, onProgress };
  for (const [name, [kind, isOfKind]] of Object.entries(kinds)) {
    const value = checked[name];
    if (value === undefined || value === null || isOfKind(value)) continue;
    throw new TypeError(`bridge.request: "${name}" has to be ${kind}`);
  }
  return checked;
}
