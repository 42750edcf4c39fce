/**
 * What the page sends, in its order. Messages wait here before the session is open, and requests while as many are in
 * flight as the other side takes; what comes after a message that waits, waits behind it.
 */
export class Outbox {
  #send;
  #limit = Infinity;
  /** Messages that wait: id → text; a notification's key is an object of its own. */
  #waiting = new Map();
  #inFlight = new Set();

  /** @returns {number} How many messages wait to be sent. */
  get waiting() {
    return this.#waiting.size;
  }

  /**
   * Sends a message, now or in its turn.
   * @param {string} text
   * @param {string | number} [id] The id, if it is a request.
   */
  post(text, id) {
    if (this.#send !== undefined && this.#waiting.size === 0 && (id === undefined || this.#inFlight.size < this.#limit)) {
      this.#transmit(text, id);
    } else {
      this.#waiting.set(id ?? {}, text);
    }
  }

  /**
   * A request needs no answer any more, or has it.
   * @param {string | number} id
   * @returns {boolean} Whether it had been sent.
   */
  release(id) {
    const wasSent = this.#inFlight.delete(id);
    if (!wasSent) this.#waiting.delete(id);
    if (this.#waiting.size > 0) this.#flush();
    return wasSent;
  }

  /**
   * Nobody wants the answer any more. The other side is told before the next request takes the place, as until then it
   * counts this one.
   * @param {string | number} id
   * @param {string} text What tells it; not sent if the request was not.
   * @returns {boolean} Whether the request had been sent.
   */
  withdraw(id, text) {
    if (this.#inFlight.has(id)) this.#send(text);
    return this.release(id);
  }

  /**
   * The session is open: sends what waits.
   * @param {(text: string, id?: string | number) => void} send
   * @param {number} limit How many requests may be in flight.
   */
  open(send, limit) {
    this.#send = send;
    this.#limit = limit;
    this.#flush();
  }

  /**
   * The session is over: what waits goes on waiting.
   * @returns {(string | number)[]} The requests that had been sent and were not answered.
   */
  close() {
    this.#send = undefined;
    const lost = [...this.#inFlight];
    this.#inFlight.clear();
    return lost;
  }

  #transmit(text, id) {
    if (id !== undefined) this.#inFlight.add(id);
    this.#send(text, id);
  }

  #flush() {
    for (const [key, text] of this.#waiting) {
      if (this.#send === undefined) return;
      const id = typeof key === "object" ? undefined : key;
      if (id !== undefined && this.#inFlight.size >= this.#limit) return;
      this.#waiting.delete(key);
      this.#transmit(text, id);
    }
  }
}
