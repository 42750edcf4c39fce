// A `bridgehead serve` of the build under test, and small page servers beside it.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const executable = process.env.BRIDGEHEAD ?? `${root}.build/debug/bridgehead`;

/** Starts `bridgehead serve --port 0 …args`; resolves once it listens. `stop()` resolves with the exit code. */
export async function serve(...args) {
  const child = spawn(executable, ["serve", "--port", "0", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const server = { child, port: 0, linesPort: 0, output: "", errors: "" };
  const ended = once(child, "exit").then(([code]) => code);
  child.stderr.on("data", chunk => { server.errors += chunk; });
  const lines = createInterface({ input: child.stdout });
  await new Promise((resolve, reject) => {
    lines.on("line", line => {
      server.output += line + "\n";
      const match = /^(Listening|Lines) on port (\d+)$/.exec(line);
      if (match?.[1] === "Lines") server.linesPort = Number(match[2]);
      if (match?.[1] === "Listening") { server.port = Number(match[2]); resolve(); }
    });
    ended.then(code => reject(new Error(`serve ended with ${code}: ${server.errors}`)));
    child.once("error", reject);
  });
  server.origin = `http://localhost:${server.port}`;
  server.ended = ended;
  server.stop = (signal = "SIGTERM") => { child.kill(signal); return ended; };
  return server;
}

/** Serves `routes` (path → `{type, body, headers}` or a string of HTML) on a free port of 127.0.0.1. */
export async function site(routes) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    const route = typeof routes === "function" ? routes(path, request) : routes[path];
    if (route === undefined) { response.writeHead(404).end(); return; }
    const { type = "text/html; charset=utf-8", body = route, headers = {}, status = 200 } = typeof route === "string" ? {} : route;
    response.writeHead(status, { "content-type": type, "cache-control": "no-store", ...headers }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  return {
    port, origin: `http://localhost:${port}`,
    close() { server.closeAllConnections(); return new Promise(resolve => server.close(resolve)); },
  };
}
