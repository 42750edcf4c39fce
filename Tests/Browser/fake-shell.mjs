// The native side of a phone as a script that a test leads: the shell's files under the shell's policy, and its WebSocket.
import { createRequire } from "node:module";
import { createServer } from "node:http";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { root } from "./server.mjs";

const { WebSocketServer } = createRequire(import.meta.url)("ws");

export const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ws:; "
  + "frame-src http: https:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";
const types = { ".html": "text/html; charset=utf-8", ".mjs": "text/javascript", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

export const devices = {
  iphone: {
    id: "iphone-15", name: "iPhone 15", width: 393, height: 852, scale: 3, page: { width: 393, height: 659 },
    safeArea: { top: 59, right: 0, bottom: 34, left: 0 }, cornerRadius: 55, cutout: "island",
  },
  iphoneRotated: {
    id: "iphone-15", name: "iPhone 15", width: 852, height: 393, scale: 3, page: { width: 734, height: 343 },
    safeArea: { top: 0, right: 59, bottom: 21, left: 59 }, cornerRadius: 55, cutout: "island",
  },
  pixel: {
    id: "pixel-7", name: "Pixel 7", width: 412, height: 915, scale: 2.625, page: { width: 412, height: 784 },
    safeArea: { top: 52, right: 0, bottom: 24, left: 0 }, cornerRadius: 34, cutout: "hole",
  },
  pixelRotated: {
    id: "pixel-7", name: "Pixel 7", width: 915, height: 412, scale: 2.625, page: { width: 863, height: 308 },
    safeArea: { top: 24, right: 0, bottom: 24, left: 52 }, cornerRadius: 34, cutout: "hole",
  },
  small: {
    id: "iphone-se", name: "iPhone SE", width: 320, height: 568, scale: 2, page: { width: 320, height: 460 },
    safeArea: { top: 20, right: 0, bottom: 0, left: 0 }, cornerRadius: 0, cutout: "none",
  },
};

/** A whole state; `changes` replace its members. */
export const state = (changes = {}) => ({
  phone: "7", revision: 0, frame: { url: null, load: 0 }, address: "", title: "", isSecure: false, progress: null, isLoading: false,
  canGoBack: false, canGoForward: false, connection: "none", notice: null, sheets: [], device: devices.iphone,
  devices: [devices.iphone, devices.pixel, devices.small].map(({ id, name }) => ({ id, name })),
  isRotated: false, scheme: "light", platform: "ios", isExplaining: false, overlays: [], contentHeight: null, ...changes,
});

/** Serves the shell at `${origin}/_bridge/shell`, and `pages` (path → HTML, or a function of the path). */
export async function fakeShell(pages = () => undefined) {
  const shell = { events: [], current: state(), failure: undefined };
  let waiting = [];
  const handle = (request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    const file = path === "/_bridge/shell" ? "shell/index.html" : path.startsWith("/_bridge/shell/") ? path.slice(9) : path.startsWith("/_bridge/") ? `client/${path.slice(9)}` : path.slice(1);
    let body = pages(path);
    try {
      body ??= readFileSync(`${root}web-fixtures/${file}`);
    } catch {
      response.writeHead(404).end();
      return;
    }
    const headers = { "content-type": types[extname(file)] ?? types[".html"], "cache-control": "no-store" };
    if (path === "/_bridge/shell") headers["content-security-policy"] = policy;
    response.writeHead(200, headers).end(body);
  };
  let server, sockets, socket;
  const start = async (port) => {
    server = createServer(handle).listen(port, "127.0.0.1");
    sockets = new WebSocketServer({ noServer: true });
    server.on("upgrade", (request, stream, head) => {
      if (request.url !== "/_bridge/shell/ws") return stream.destroy();
      sockets.handleUpgrade(request, stream, head, accept);
    });
    await once(server, "listening");
  };
  const accept = (accepted) => {
    socket = accepted;
    socket.on("message", (data) => {
      const { eventName, requestId, ...payload } = JSON.parse(data);
      if (eventName === undefined) return;
      const reply = (answer) => socket.send(JSON.stringify({ requestId, ...answer }));
      if (eventName === "$/hello") return reply({ response: { protocol: 1, events: [] } });
      if (requestId === undefined) return;
      if (shell.failure) reply({ error: { code: 4000, message: shell.failure } });
      else reply({ response: eventName === "shell.begin" ? shell.current : null });
      shell.events.push({ name: eventName, ...payload });
      for (const wake of waiting.splice(0)) wake();
    });
  };
  await start(0);
  const { port } = server.address();
  return Object.assign(shell, {
    port,
    origin: `http://localhost:${port}`,
    /** Sends the state with `changes`, as Swift does after each change. */
    show(changes) {
      shell.current = { ...shell.current, ...changes, revision: shell.current.revision + 1 };
      socket.send(JSON.stringify({ eventName: "shell.state", ...shell.current }));
    },
    /** Resolves with the next event, in order, that is not of a frame. */
    async next() {
      for (;;) {
        const event = shell.events.shift();
        if (event === undefined) await new Promise((resolve) => waiting.push(resolve));
        else if (event.name !== "shell.frameDidLoad") return event;
      }
    },
    /** Ends the server with all its connections, as when its process is killed. */
    async kill() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    restart: () => start(port),
  });
}
