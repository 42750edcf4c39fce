// What a page on an origin that is not allowed can do to a server on the developer's machine: nothing but read
// health and the client's own source. And what a page on another loopback origin can do: everything.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "./chromium.mjs";
import { serve, site } from "./server.mjs";

let server, browser, pages, evil;

before(async () => {
  server = await serve("--lines", "0", "--log-level", "debug");
  browser = await launch({ flags: ["--host-resolver-rules=MAP evil.example 127.0.0.1"] });
  pages = await site(path => ways[path.slice(1)]?.() ?? (path === "/relay" ? relay : "<!doctype html><title>page</title>"));
  evil = `http://evil.example:${pages.port}`;
});
after(async () => {
  await browser.close();
  await pages.close();
  assert.equal(await server.stop(), 0);
});

/** Fails if an event of this name reached the server; its traffic is logged. */
function assertNothingRan(name) {
  assert.ok(!server.output.includes(name) && !server.errors.includes(name), `${name} ran:\n${server.output}`);
}

/** Asks for something that is logged after all that was sent before it, so that absence means something. */
async function fence(name) {
  await fetch(`${server.origin}/_bridge/rpc`, {
    method: "POST", headers: { "content-type": "application/json" },
    body: JSON.stringify({ requestId: 1, eventName: name }),
  });
  await logged(name);
}

async function logged(name) {
  while (!(server.output + server.errors).includes(name)) await new Promise(resolve => server.child.stdout.once("data", resolve));
}

for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
  test(`a foreign page cannot open a WebSocket to ${host}`, async () => {
    const outcomes = [];
    for (const [origin, event] of [[evil, "attack.websocket"], [pages.origin, `fence.websocket.${host}`]]) {
      const page = await browser.open(origin);
      outcomes.push(await page.evaluate((url, event) => new Promise(resolve => {
        const socket = new WebSocket(url);
        socket.onopen = () => socket.send(JSON.stringify({ requestId: 1, eventName: event }));
        socket.onmessage = () => resolve("answered");
        socket.onclose = event => resolve(`closed ${event.code}`);
      }), `ws://${host}:${server.port}/_bridge/ws`, event));
      await page.close();
    }
    assert.deepEqual(outcomes, ["closed 1006", "answered"]);
    await logged(`fence.websocket.${host}`);
    assertNothingRan("attack.websocket");
  });
}

test("a foreign page cannot call or read by fetch, whatever the mode", async () => {
  const page = await browser.open(evil);
  const results = await page.evaluate(async url => {
    const body = '{"requestId":1,"eventName":"attack.fetch"}';
    const attempts = {
      json: { method: "POST", headers: { "content-type": "application/json" }, body },
      text: { method: "POST", headers: { "content-type": "text/plain" }, body },
      bare: { method: "POST", body: new Blob([body]) },
      noCORS: { method: "POST", mode: "no-cors", body },
      noCORSForm: { method: "POST", mode: "no-cors", body: new URLSearchParams({ [body]: "" }) },
      keepalive: { method: "POST", mode: "no-cors", keepalive: true, body },
    };
    const results = {};
    for (const [name, init] of Object.entries(attempts)) {
      try {
        const response = await fetch(url, init);
        results[name] = `${response.type} ${await response.text()}`.trim();
      } catch (error) { results[name] = error.name; }
    }
    return results;
  }, `${server.origin}/_bridge/rpc`);
  // A beacon goes by itself: what it was answered is seen outside of the page only.
  const status = page.status(`${server.origin}/_bridge/rpc`);
  results.beacon = await page.evaluate(url => navigator.sendBeacon(url, '{"requestId":1,"eventName":"attack.fetch"}'), `${server.origin}/_bridge/rpc`);
  assert.equal(await status, 403);
  assert.deepEqual(results, {
    json: "TypeError", text: "TypeError", bare: "TypeError",
    // Opaque, or stopped by Cross-Origin-Resource-Policy: unreadable either way, and not run.
    noCORS: results.noCORS, noCORSForm: results.noCORSForm, keepalive: results.keepalive, beacon: true,
  });
  for (const name of ["noCORS", "noCORSForm", "keepalive"]) assert.match(results[name], /^(TypeError|opaque)$/);
  await fence("fence.fetch");
  assertNothingRan("attack.fetch");
  await page.close();
});

test("a foreign page's forms run nothing", async () => {
  for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    const page = await browser.open(evil);
    const loaded = page.next("Page.loadEventFired");
    const status = page.status(`${server.origin}/_bridge/rpc`);
    await page.evaluate((action, enctype) => {
      const form = document.createElement("form");
      Object.assign(form, { method: "POST", action, enctype });
      const field = document.createElement("input");
      field.name = '{"requestId":1,"eventName":"attack.form","a":"';
      field.value = '"}';
      form.append(field);
      document.body.append(form);
      form.submit();
    }, `${server.origin}/_bridge/rpc`, enctype);
    await loaded;
    assert.equal(await status, 403);
    await page.close();
  }
  await fence("fence.form");
  assertNothingRan("attack.form");
});

test("a foreign page reads health and the client's source, and no other resource", async () => {
  const loads = async page => page.evaluate(async origin => {
    const load = (tag, attributes) => new Promise(resolve => {
      const element = Object.assign(document.createElement(tag), attributes);
      element.onload = () => resolve("loaded");
      element.onerror = () => resolve("refused");
      document.head.append(element);
    });
    const read = async path => {
      try { return (await fetch(origin + path)).status; } catch (error) { return error.name; }
    };
    return {
      open: [await load("script", { src: `${origin}/_bridge/client.js` }), await read("/_bridge/client.mjs"), await read("/_bridge/health")],
      loaded: [
        await load("script", { src: `${origin}/pages/plain.js` }), await load("script", { type: "module", src: `${origin}/pages/index.mjs` }),
        await load("img", { src: `${origin}/pages/mark.svg` }), await load("link", { rel: "stylesheet", href: `${origin}/pages/style.css` }),
      ],
      read: [await read("/"), await read("/pages/plain.js"), await read("/_bridge/echo")],
    };
  }, server.origin);
  const foreign = await browser.open(evil);
  const own = await browser.open(server.origin);
  const open = ["loaded", 200, 200];
  assert.deepEqual(await loads(foreign), { open, loaded: Array(4).fill("refused"), read: Array(3).fill("TypeError") });
  // It is all there, for who may have it.
  assert.deepEqual(await loads(own), { open, loaded: Array(4).fill("loaded"), read: Array(3).fill(200) });
  const isAllowed = page => page.evaluate(async origin => (await (await fetch(`${origin}/_bridge/health`)).json()).originAllowed, server.origin);
  assert.deepEqual([await isAllowed(foreign), await isAllowed(own)], [false, true]);
  await Promise.all([foreign.close(), own.close()]);
});

// What a page says on its console, in `texts` of it or of the page around it: a frame may have a process of its own.
const relay = `<!doctype html><title>page</title><script>
  window.texts = [];
  addEventListener("message", event => texts.push(event.data));
  for (const level of ["error", "info", "warn"]) console[level] = (...said) => parent.postMessage(said.join(" "), "*");
  addEventListener("error", () => parent.postMessage("the script failed", "*"), true);
</script>`;
const ways = {
  script: () => `${relay}<script src="${server.origin}/_bridge/client.js"></script>
    <script>webkit.messageHandlers.bridge.postMessage({ eventName: "attack.source" });</script>`,
  module: () => `${relay}<script type="module">
    import { bridge } from "${server.origin}/_bridge/client.mjs";
    bridge.request("attack.source").catch(() => {});
  </script>`,
};
const places = {
  "a foreign page": (page, way) => page.goto(`${evil}/${way}`),
  "a file": async (page, way) => {
    const folder = mkdtempSync(join(tmpdir(), "bridgehead-page-"));
    writeFileSync(join(folder, "page.html"), ways[way]());
    await page.goto(`file://${folder}/page.html`);
    rmSync(folder, { recursive: true });
  },
  "a sandboxed frame": async (page, way) => {
    await page.goto(`${evil}/relay`);
    await page.evaluate(content => {
      const frame = document.createElement("iframe");
      frame.sandbox = "allow-scripts";
      frame.srcdoc = content;
      document.body.append(frame);
    }, ways[way]());
  },
};

for (const way of Object.keys(ways)) {
  for (const [place, open] of Object.entries(places)) {
    test(`the client loads as a ${way} in ${place}, and names the option that would let it in`, async () => {
      const page = await browser.open("about:blank");
      await open(page, way);
      await page.waitFor(() => texts.length > 0);
      const said = await page.evaluate("texts[0]");
      assert.ok(said.endsWith(`--allow-origin ${place === "a foreign page" ? evil : "null"}`), said);
      await page.close();
      await fence(`fence.source.${way}.${place}`);
      assertNothingRan("attack.source");
    });
  }
}

test("a foreign page that rebinds its name to this machine is refused", async () => {
  const page = await browser.open("about:blank");
  await page.goto(`http://evil.example:${server.port}/`);
  const status = await page.evaluate(async () => (await fetch("/_bridge/health")).status);
  assert.equal(status, 403);
  await page.close();
});

test("a foreign page cannot make the lines port run anything", async () => {
  const page = await browser.open(evil);
  const result = await page.evaluate(async url => {
    const body = '\n{"requestId":1,"eventName":"attack.lines"}\n';
    const results = [];
    for (const init of [
      { method: "POST", mode: "no-cors", body }, { method: "POST", body },
      { method: "PUT", body }, { method: "GET", mode: "no-cors" },
    ]) results.push(await fetch(url, init).then(r => `${r.type}`, error => error.name));
    return results;
  }, `http://127.0.0.1:${server.linesPort}/`);
  assert.deepEqual(result, ["TypeError", "TypeError", "TypeError", "TypeError"]);
  await fence("fence.lines");
  assertNothingRan("attack.lines");
  await page.close();
});

test("the terminal names the refused origin and the option that would allow it", async () => {
  assert.match(server.errors + server.output, new RegExp(`--allow-origin ${evil}`));
});

test("a page on another loopback origin imports the module and calls by fetch", async () => {
  const page = await browser.open(pages.origin);
  const result = await page.evaluate(async origin => {
    const { bridge } = await import(`${origin}/_bridge/client.mjs`);
    const title = await bridge.request("getRandomTitle");
    const response = await fetch(`${origin}/_bridge/rpc`, {
      method: "POST", headers: { "content-type": "application/json" },
      body: JSON.stringify({ requestId: "r1", eventName: "conformance.echo", a: "é" }),
    });
    bridge.close();
    return { title, answer: await response.text() };
  }, server.origin);
  assert.match(result.title, /^Title: [0-9A-F-]{36}$/);
  assert.equal(result.answer, '{"requestId":"r1","response":{"a":"é"}}');
  assert.deepEqual(page.errors, []);
  await page.close();
});
