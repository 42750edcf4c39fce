// What users feel: a round trip through the client inside headless Chromium, and a bare WebSocket echo in the same page, in
// blocks that alternate. Prints `{"bridge": […], "bare": […]}`, microseconds a trip, a number a block.
import { launch } from "../Browser/chromium.mjs";
import { serve } from "../Browser/server.mjs";

const [blocks, trips] = [Number(process.argv[2] ?? 10), Number(process.argv[3] ?? 300)];

/** Runs in the page. */
async function measure(blocks, trips) {
  const { bridge } = await import("/_bridge/client.mjs");
  await bridge.ready;
  const text = "x".repeat(64);
  const socket = new WebSocket(`ws://${location.host}/_bridge/echo`);
  await new Promise((resolve, reject) => { socket.onopen = resolve; socket.onerror = reject; });
  const kinds = {
    bridge: () => bridge.request("conformance.echo", { text }),
    bare: () => new Promise(resolve => { socket.onmessage = resolve; socket.send(text); }),
  };
  const result = { bridge: [], bare: [] };
  for (let block = -1; block < blocks; block++) {
    for (const [name, trip] of Object.entries(kinds)) {
      const start = performance.now();
      for (let n = 0; n < trips; n++) await trip();
      // The first block warms the page up.
      if (block >= 0) result[name].push((performance.now() - start) * 1000 / trips);
    }
  }
  socket.close();
  return result;
}

const server = await serve("--quiet");
const browser = await launch();
try {
  const page = await browser.open(`${server.origin}/`);
  console.log(JSON.stringify(await page.evaluate(measure, blocks, trips)));
} finally {
  await browser.close();
  await server.stop("SIGKILL");
}
