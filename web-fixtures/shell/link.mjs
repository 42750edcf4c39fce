import { Bridge } from "/_bridge/bridge.mjs";
import { Connection } from "/_bridge/socket.mjs";

/** The native side is on this machine: it is tried again soon. */
const retryDelay = (attempt) => Math.min(1000, 100 * 2 ** attempt);

/**
 * The connection to this shell's phone. Each session begins it, with the id it had before.
 * @param {{url: string | null, chrome: "full" | "bare"}} beginning
 * @param {{state: (state: object) => void, gone: () => void, failed: (message: string) => void}} tell
 * @returns {(name: string, payload?: object) => Promise<void>} Sends an event of the view; its failure is told.
 */
export function link(beginning, { state, gone, failed }) {
  const url = new URL("/_bridge/shell/ws", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const connect = (events) => new Connection({ url: url.href, WebSocket, retryDelay, ...events });
  const bridge = new Bridge({ window, connect });
  let phone = null;
  let revision = -1;
  /** How the phone was, for a native side that was started anew and knows nothing of it. */
  let was;

  const accept = (next) => {
    if (next.phone === phone && next.revision < revision) return; // overtaken
    ({ phone, revision } = next);
    const { device: { id }, isRotated, scheme, platform, isExplaining } = next;
    was = { id, isRotated, scheme, platform, isExplaining };
    state(next);
  };
  const begin = () => {
    revision = -1;
    bridge.request("shell.begin", { ...beginning, phone, was }).then(accept, ({ name, code, message }) => {
      // Lost meanwhile: the next session begins again.
      if (name !== "BridgeError" || code !== -32004) failed(message);
    });
  };
  bridge.handle("shell.state", (next) => {
    accept(next);
    return null;
  });
  bridge.addEventListener("statuschange", () => {
    if (bridge.status === "open") begin();
    else if (bridge.status === "closed") gone();
  });

  return (name, payload = {}) => bridge.request(name, payload).then(
    () => {},
    ({ message }) => {
      if (bridge.status === "open") failed(message);
    },
  );
}
