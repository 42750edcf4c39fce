import { BridgeError, codes } from "./errors.mjs";

/** The longest delay that a timer can hold; a longer timeout is none. */
const longest = 2 ** 31 - 1;

/**
 * The heart of the client: a call is posted as a message, its promise waits in a map under the message's id, and the
 * message that brings the answer carries the same id.
 *
 *     const title = pending.call("7", () => socket.send('{"requestId":"7","eventName":"getTitle"}'));
 *     socket.onmessage = ({ data }) => pending.settle(JSON.parse(data).requestId)?.resolve(…);
 */
export class Pending {
  #pending = new Map();

  /** How many calls wait. */
  get size() {
    return this.#pending.size;
  }

  /**
   * Posts a call and promises its answer.
   * @param {string | number} id Not in use by another call that waits.
   * @param {() => void} post Sends the message; runs once the call is in the map, as the answer may come during it.
   * @param {{signal?: AbortSignal, timeout?: number, onProgress?: (value: unknown) => void, eventName?: string}} options
   * @param {() => void} giveUp Tells the other side that nobody waits any more: after an abort or the timeout.
   * @returns {Promise<unknown>}
   */
  call(id, post, { signal, timeout, onProgress, eventName }, giveUp) {
    return new Promise((resolve, reject) => {
      const entry = { resolve, reject, onProgress, eventName, timer: undefined, unlisten: undefined };
      const fail = (error) => {
        this.settle(id);
        reject(error);
        giveUp();
      };
      this.#pending.set(id, entry);
      try {
        if (typeof timeout === "number" && timeout <= longest) {
          const error = () => new BridgeError(codes.timedOut, "Timed out", { eventName, requestId: id, data: { timeout } });
          entry.timer = setTimeout(() => fail(error()), timeout);
        }
        if (signal) {
          const abort = () => fail(signal.reason);
          signal.addEventListener("abort", abort);
          entry.unlisten = () => signal.removeEventListener("abort", abort);
        }
        post();
      } catch (error) {
        this.settle(id)?.reject(error);
      }
    });
  }

  /**
   * Takes a call out, once: whoever gets it settles it. Its timer and its listener go with it.
   * @param {string | number} id
   * @returns {{resolve: (value: unknown) => void, reject: (error: unknown) => void, eventName?: string} | undefined}
   */
  settle(id) {
    const entry = this.#pending.get(id);
    if (entry === undefined) return undefined;
    this.#pending.delete(id);
    if (entry.timer !== undefined) clearTimeout(entry.timer);
    entry.unlisten?.();
    return entry;
  }

  /** The call that waits under `id`, left where it is. */
  peek(id) {
    return this.#pending.get(id);
  }

  /** Whether a call waits under `id`. */
  has(id) {
    return this.#pending.has(id);
  }

  /** The ids of the calls that wait, in the order of the calls. */
  ids() {
    return [...this.#pending.keys()];
  }
}
