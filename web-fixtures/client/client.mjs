/**
 * The client of Bridgehead: `import { bridge } from "http://localhost:7357/_bridge/client.mjs"`.
 *
 * In a page, `bridge` is connected to the server that this module came from, and `window.webkit.messageHandlers` is there;
 * a tag `<script type="module" src="…/client.mjs" data-…>` takes the attributes of client.js. Elsewhere, `bridge` is off:
 * make one with `new Bridge({ url, WebSocket })`.
 * @module
 */
import { Bridge } from "./bridge.mjs";
import { BridgeError, codes } from "./errors.mjs";
import { install } from "./install.mjs";

export { Bridge, BridgeError, codes };

/** Named each by itself, so that a bundler finds them. */
const modules = { "evaluate.mjs": () => import("./evaluate.mjs"), "overlays.mjs": () => import("./overlays.mjs") };

const isPage = typeof window !== "undefined" && typeof document !== "undefined";

function attributes() {
  const script = [...document.querySelectorAll('script[type="module"][src]')].find(({ src }) => src === import.meta.url);
  return { ...script?.dataset };
}

/**
 * The page's bridge; the same as `window.bridgehead`.
 * @type {Bridge}
 */
export const bridge = isPage
  ? install(window, import.meta.url, attributes(), (file) => modules[file]())
  : new Bridge({ off: "there is no page here: make a bridge with new Bridge({ url, WebSocket })" });
