/**
 * How long to wait before the next attempt: it doubles from 0.25 s to 15 s, less up to a half by chance, so that many
 * pages do not come back in step.
 * @param {number} attempt 0 for the first.
 * @returns {number} Milliseconds.
 */
export function backOff(attempt) {
  return Math.min(15_000, 250 * 2 ** attempt) * (1 - Math.random() / 2);
}

/**
 * The server that a text names; undefined if it is no whole URL of http, https, ws or wss.
 * @param {string | URL} text
 * @returns {URL | undefined}
 */
export function serverURL(text) {
  try {
    const url = new URL(text);
    return /^(http|ws)s?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** A WebSocket that comes back. Each socket it opens is a session of its own; nothing of one reaches the next. */
export class Connection {
  #options;
  #socket;
  #timer;
  #attempt = 0;

  /**
   * @param {object} options
   * @param {string} options.url
   * @param {typeof WebSocket} options.WebSocket
   * @param {(attempt: number) => number} [options.retryDelay]
   * @param {() => void} options.connecting An attempt begins.
   * @param {(send: (text: string) => void) => void} options.opened
   * @param {(text: string) => void} options.received
   * @param {(end: {code: number, reason: string, opened: boolean, error?: unknown}) => void} options.closed The socket is
   *   gone, or could not be opened; the next attempt is on its way.
   */
  constructor(options) {
    this.#options = { ...options, retryDelay: options.retryDelay ?? backOff };
  }

  /** Connects, and connects again whenever the connection is lost. */
  start() {
    clearTimeout(this.#timer);
    const { url, WebSocket, connecting, opened, received } = this.#options;
    connecting();
    let socket;
    try {
      socket = new WebSocket(url, ["bridgehead.1"]);
    } catch (error) {
      this.#lost({ code: 0, reason: "", opened: false, error });
      return;
    }
    this.#socket = socket;
    let isOpen = false;
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      isOpen = true;
      this.#attempt = 0;
      opened((text) => socket.send(text));
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) received(data);
    };
    socket.onerror = () => {}; // "close" follows and says as much
    socket.onclose = ({ code, reason }) => {
      if (socket === this.#socket) this.#lost({ code, reason, opened: isOpen });
    };
  }

  /**
   * Closes, and does not come back unless started again.
   * @param {number} [code]
   */
  stop(code = 1000) {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close(code);
  }

  #lost(end) {
    this.#socket = undefined;
    this.#timer = setTimeout(() => this.start(), this.#options.retryDelay(this.#attempt++));
    this.#options.closed(end);
  }
}
