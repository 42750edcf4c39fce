// A round trip inside Chromium: the bundled client against a bare WebSocket echo, in the same page, in turns.
// Prints one line of JSON: the medians of each block in microseconds.
import { launch } from "../Browser/chromium.mjs";

const [port, rounds] = process.argv.slice(2);
const browser = await launch();
const page = await browser.open(`http://localhost:${port}/`);
const blocks = await page.evaluate(async rounds => {
  const { bridge } = await import("/_bridge/client.mjs");
  await bridge.ready;
  const text = "x".repeat(64);
  const socket = new WebSocket(`ws://${location.host}/_bridge/echo`);
  await new Promise(resolve => { socket.onopen = resolve; });
  const bare = () => new Promise(resolve => { socket.onmessage = resolve; socket.send(text); });
  const client = () => bridge.request("conformance.echo", { text });
  const block = async (step, count) => {
    const began = performance.now();
    for (let n = 0; n < count; n++) await step();
    return (performance.now() - began) / count * 1000;
  };
  await block(bare, 500);
  await block(client, 500);
  const results = [];
  for (let round = 0; round < rounds; round++) {
    results.push({ bare: await block(bare, 500), client: await block(client, 500) });
  }
  return results;
}, Number(rounds));
await browser.close();
console.log(JSON.stringify(blocks));
