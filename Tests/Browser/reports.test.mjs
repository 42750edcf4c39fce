// Faults that users of such bridges met (U1–U23), at the edge where they met them: a page in a real browser.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch } from "./chromium.mjs";
import { serve, site } from "./server.mjs";

let server, browser, pages;
const bodies = {};

before(async () => {
  server = await serve();
  browser = await launch();
  pages = await site(path => bodies[path]);
});
after(async () => {
  await browser.close();
  await pages.close();
  assert.equal(await server.stop(), 0);
});

let count = 0;
/** Opens a page of this HTML with the classic script first; `attributes` are the script tag's. */
async function open(html = "", attributes = "") {
  const path = `/${++count}`;
  bodies[path] = `<!doctype html><html><head><meta charset="utf-8"><script src="${server.origin}/_bridge/client.js" ${attributes}></script>${html}`;
  return browser.open(pages.origin + path);
}

test("U1: what is posted in <head>, before any socket is open, arrives in order with its ids", async () => {
  const page = await open(`<script>
    window.answers = [];
    window.ids = [];
    window.handleNativeResponse = (answer, id) => ids.push(id);
    for (let n = 0; n < 100; n++) {
      webkit.messageHandlers.bridge.postMessage({ eventName: "conformance.echo", requestId: "early-" + n, n })
        .then(answer => answers.push(answer.n));
    }
    window.counted = webkit.messageHandlers.bridge.postMessage({ eventName: "conformance.counter", requestId: "last" });
  </script>`);
  assert.deepEqual(await page.waitFor(() => answers.length === 100 && answers), [...Array(100).keys()]);
  assert.deepEqual(await page.evaluate(() => counted), { count: 1 });
  assert.deepEqual(await page.evaluate(() => ids), [...Array.from({ length: 100 }, (_, n) => `early-${n}`), "last"]);
  await page.close();
});

test("U2: a native call made before the page handles it waits and runs once", async () => {
  const page = await open(`<script>
    window.runs = 0;
    window.asked = webkit.messageHandlers.bridge.postMessage(
      { eventName: "conformance.callPage", event: "late", payload: { n: 1 } });
    addEventListener("DOMContentLoaded", () => setTimeout(() => bridgehead.handle("late", ({ n }) => { runs++; return n + 1; })));
  </script><img src="/none.png">`);
  assert.equal(await page.evaluate(() => asked), 2);
  assert.equal(await page.evaluate(() => runs), 1);
  await page.close();
});

test("U3: postMessage is there from the first script line", async () => {
  const page = await open(`<script>window.kind = typeof window.webkit.messageHandlers.bridge.postMessage</script>`);
  assert.equal(await page.evaluate(() => kind), "function");
  await page.close();
});

/**
 * Posts an event; settles as `{value}` or `{code, message, data}`. The page sees an Error with a message, as in WKWebView;
 * the failure behind it is its cause.
 */
const ask = (page, body) => page.evaluate(async body => {
  try {
    return { value: await window.webkit.messageHandlers.bridge.postMessage(body) };
  } catch (error) {
    const { code, message, data } = error.cause;
    if (message !== error.message) throw new Error(`${error.message} is not ${message}`);
    return { code, message, data };
  }
}, body);

describe("one page", () => {
  let page;
  before(async () => { page = await open(); });
  after(() => page.close());

  test("U4: no handler is an answer that names the event and the nearest", async () => {
    const { code, data } = await ask(page, { eventName: "getrandomtitle" });
    assert.equal(code, -32601);
    assert.equal(data.eventName, "getrandomtitle");
    assert.equal(data.nearest[0], "getRandomTitle");
    assert.match(data.help, /bridge\.on\(/);
  });

  test("U4: names that every JavaScript object has are no handlers", async () => {
    for (const eventName of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      assert.equal((await ask(page, { eventName })).code, -32601);
    }
  });

  test("U5: a handler that forgets fails the call with WebKit's wording", async () => {
    const failure = await ask(page, { eventName: "conformance.forget" });
    assert.equal(failure.code, -32003);
    assert.equal(failure.message, "WKWebView API client did not respond to this postMessage");
  });

  const texts = ["'", "\"", "\\", "\n", "\r\n", "\u2028\u2029", "</script><!--", "\0\x1f\x7f", "\u{1F600}", "é", "e\u0301", "${x}`", "\ud800"];
  test("U6, U8: every text comes back as it was, in values and keys", async () => {
    for (const text of texts) {
      const sent = { text, [`key ${text}`]: [text, { nested: text }] };
      const { value } = await ask(page, { eventName: "conformance.echo", ...sent });
      assert.deepEqual(value, sent);
    }
  });

  test("U7: and in failures", async () => {
    for (const text of texts.filter(text => text !== "\ud800")) {
      const failure = await ask(page, { eventName: "conformance.fail", code: 4001, message: `it's ${text}`, data: { text } });
      assert.deepEqual(failure, { code: 4001, message: `it's ${text}`, data: { text } });
      assert.equal((await ask(page, { eventName: "conformance.throw", text })).message, text);
    }
  });

  test("U9: a NaN fails with its path, and the session goes on", async () => {
    const failure = await ask(page, { eventName: "conformance.unencodable" });
    assert.equal(failure.code, -32603);
    assert.equal(failure.data.path, "$.bad[1]");
    assert.deepEqual(await ask(page, { eventName: "conformance.echo", a: 1 }), { value: { a: 1 } });
  });

  test("U10, U11: null, missing, undefined, booleans and numbers stay what they are", async () => {
    const value = await page.evaluate(() => window.webkit.messageHandlers.bridge.postMessage({
      eventName: "conformance.echo", none: null, list: [null, 1, true, 0, false, 1.5, 9007199254740991], empty: {}, text: "",
    }));
    assert.deepEqual(value, { none: null, list: [null, 1, true, 0, false, 1.5, 9007199254740991], empty: {}, text: "" });
    const missing = await page.evaluate(() => window.webkit.messageHandlers.bridge.postMessage({
      eventName: "conformance.typed", id: 1, price: 2, tags: [], note: undefined,
    }));
    assert.deepEqual(missing, { id: 1, price: 2, tags: [] });
    const { code, data } = await ask(page, { eventName: "conformance.typed", id: true, price: 2, tags: [] });
    assert.equal(code, -32602);
    assert.equal(data.path, "$.id");
  });

  test("U13: a thousand concurrent calls of one event, answered in random order, each get their own", async () => {
    const answers = await page.evaluate(async () => {
      const answers = [];
      await Promise.all(Array.from({ length: 1000 }, async (_, n) => {
        const ms = (n * 7919) % 1000; // each its own, as 7919 is prime
        const { waited } = await window.webkit.messageHandlers.bridge.postMessage({ eventName: "conformance.wait", ms });
        answers.push({ n, ms, waited });
      }));
      return answers;
    });
    assert.equal(new Set(answers.map(({ ms }) => ms)).size, 1000);
    assert.deepEqual(answers.filter(({ ms, waited }) => waited !== ms), []);
    const order = answers.map(({ n }) => n);
    assert.notDeepEqual(order, [...Array(1000).keys()]);
  });

  test("U14: ten thousand notifications in one turn arrive in order, none lost", async () => {
    const arrived = await page.evaluate(async () => {
      // The native side calls the page as each arrives, so that the page sees which one it was.
      const arrived = [];
      const stop = bridgehead.handle("arrived", ({ n }) => { arrived.push(n); });
      for (let n = 0; n < 10_000; n++) bridgehead.notify("conformance.callPage", { event: "arrived", payload: { n } });
      await bridgehead.request("conformance.callPage", { event: "arrived", payload: { n: "all" } });
      stop();
      return arrived;
    });
    assert.deepEqual(arrived, [...Array(10_000).keys(), "all"]);
  });

  test("U15: progress is its own message, in order, before the answer", async () => {
    const seen = await page.evaluate(async () => {
      const seen = [];
      seen.push(await bridgehead.request("conformance.progress", { count: 5 }, { onProgress: value => seen.push(value) }));
      return seen;
    });
    assert.deepEqual(seen, [1, 2, 3, 4, 5, { count: 5 }]);
  });

  test("U17, U18: closed, timed out, cancelled, not found and failed can be told apart", async () => {
    const page = await open();
    const codes = await page.evaluate(async () => {
      const code = promise => promise.then(() => "answered", error => error.name === "BridgeError" ? error.code : error.name);
      const controller = new AbortController();
      const cancelled = code(bridgehead.request("conformance.wait", { ms: 60000 }, { signal: controller.signal }));
      controller.abort();
      const codes = {
        timedOut: await code(bridgehead.request("conformance.wait", { ms: 60000 }, { timeout: 20 })),
        cancelled: await cancelled,
        notFound: await code(bridgehead.request("nothing.here")),
        failed: await code(bridgehead.request("conformance.throw", { text: "no" })),
        undecodable: await code(bridgehead.request("conformance.typed", {})),
      };
      const closed = code(bridgehead.request("conformance.wait", { ms: 60000 }));
      bridgehead.close();
      return { ...codes, closed: await closed };
    });
    assert.deepEqual(codes, { closed: -32004, timedOut: -32001, cancelled: "AbortError", notFound: -32601, failed: -32000, undecodable: -32602 });
    await page.close();
  });
});

test("an uncaught failure has its help on the console, once, whether the page or the native side refused", async () => {
  const page = await open(`<script>
    for (let n = 0; n < 2; n++) {
      bridgehead.request("conformance.echo", "x");
      (async () => { await bridgehead.request("conformance.typed", { id: true }); })();
      webkit.messageHandlers.bridge.postMessage({ eventName: "conformance.unencodable" });
    }
  </script>`);
  await page.evaluate(() => bridgehead.request("conformance.echo").then(() => {}));
  while (page.errors.length < 6) await page.next("Runtime.exceptionThrown");
  const lines = page.console.filter(({ text }) => text.startsWith("[bridgehead]"));
  assert.deepEqual(lines.map(({ type }) => type), ["error", "error", "error"]);
  for (const help of [/"conformance.echo" failed: a payload is an object/, /"conformance.typed" failed: \$\.id: expected/, /"conformance.unencodable" failed: .*\$\.bad\[1\]/]) {
    assert.ok(lines.some(({ text }) => help.test(text)), `${help} in ${JSON.stringify(lines)}`);
  }
  await page.close();
});

test("a page of the classic script fails with a code of its own", async () => {
  const page = await open(`<script>
    bridgehead.handle("pay", () => { throw new bridgehead.BridgeError(4001, "Not signed in", { data: { user: null } }); });
  </script>`);
  const failure = await ask(page, { eventName: "conformance.callPage", event: "pay", payload: {} });
  assert.deepEqual(failure, { code: 4001, message: "Not signed in", data: { user: null } });
  await page.close();
});

test("U12: an answer from before a reload settles nothing after it, 200 reloads long", async () => {
  const page = await open(`<script>
    const { bridge } = webkit.messageHandlers;
    window.number = sessionStorage.number = Number(sessionStorage.number ?? 0) + 1;
    // Left in flight by every document, and answered while a later one waits for its own under the very same id.
    const ms = 500 + number;
    window.slow = bridge.postMessage({ eventName: "conformance.wait", requestId: "slow", ms });
    slow.then(({ waited }) => { if (waited !== ms) throw new Error(waited + " is not " + ms); }, () => {});
    window.early = bridge.postMessage({ eventName: "conformance.echo", requestId: "same-id", number });
  </script>`);
  for (let n = 1; n <= 200; n++) {
    assert.deepEqual(await page.evaluate(async () => [number, (await early).number]), [n, n]);
    await page.reload();
  }
  assert.deepEqual(await page.evaluate(() => slow), { waited: 701 });
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("U16: everything pending fails when the native side goes, and what comes later is sent to the next one", async () => {
  const gone = await serve();
  bodies["/gone"] = `<!doctype html><script src="${gone.origin}/_bridge/client.js"></script>`;
  const page = await browser.open(`${pages.origin}/gone`);
  await page.evaluate(() => bridgehead.ready.then(() => {}));
  await page.evaluate(() => {
    window.codes = Promise.all(Array.from({ length: 100 }, () =>
      bridgehead.request("conformance.wait", { ms: 600000 }).catch(error => error.code)));
  });
  await page.evaluate(() => bridgehead.request("conformance.echo").then(() => {}));
  await gone.stop("SIGKILL");
  assert.deepEqual(new Set(await page.evaluate(() => codes)), new Set([-32004]));
  await page.evaluate(() => { window.later = bridgehead.request("conformance.echo", { after: true }); });
  const next = await serve("--port", String(gone.port), "--strict-port");
  assert.deepEqual(await page.evaluate(() => later), { after: true });
  await page.close();
  assert.equal(await next.stop(), 0);
});

test("U16: no entry is left after 100,000 requests", async () => {
  const page = await open();
  const left = await page.evaluate(async () => {
    for (let round = 0; round < 100; round++) {
      await Promise.all(Array.from({ length: 1000 }, () => bridgehead.request("conformance.echo")));
    }
    return bridgehead.pendingCount;
  });
  assert.equal(left, 0);
  await page.close();
});

test("U22: two pages are two sessions", async () => {
  const [first, second] = [await open(), await open()];
  const count = page => ask(page, { eventName: "conformance.counter" });
  assert.deepEqual(await count(first), { value: { count: 1 } });
  assert.deepEqual(await count(first), { value: { count: 2 } });
  assert.deepEqual(await count(second), { value: { count: 1 } });
  const asked = page => page.evaluate(name => {
    bridgehead.handle("who", () => name);
    return bridgehead.request("conformance.callPage", { event: "who", payload: {} });
  }, page.targetId);
  assert.deepEqual(await Promise.all([asked(first), asked(second)]), [first.targetId, second.targetId]);
  await Promise.all([first.close(), second.close()]);
});

describe("message handlers as WebKit has them", () => {
  test("shape", async () => {
    const page = await open();
    assert.deepEqual(await page.evaluate(() => {
      const { webkit } = window, handlers = webkit.messageHandlers;
      return {
        texts: [String(webkit), String(handlers), String(handlers.bridge)],
        keys: [Object.keys(webkit), Object.getOwnPropertyNames(handlers)],
        has: ["bridge" in handlers, "other" in handlers, handlers.other === undefined],
        same: handlers.bridge === handlers.bridge, length: handlers.bridge.postMessage.length,
      };
    }), {
      texts: ["[object WebKitNamespace]", "[object UserMessageHandlersNamespace]", "[object UserMessageHandler]"],
      keys: [[], []], has: [true, false, true], same: true, length: 1,
    });
    await page.close();
  });

  test("rejections", async () => {
    const page = await open();
    const texts = await page.evaluate(async () => {
      const { bridge } = window.webkit.messageHandlers;
      const text = promise => promise.then(value => ({ value }), error => `${error.name}: ${error.message}`);
      return {
        none: await text(bridge.postMessage()),
        detached: await text((0, bridge.postMessage)({})),
        fn: await text(bridge.postMessage({ eventName: "conformance.echo", f() {} })),
        node: await text(bridge.postMessage(document.body)),
      };
    });
    assert.deepEqual(texts, {
      none: "TypeError: Not enough arguments",
      detached: "TypeError: Can only call UserMessageHandler.postMessage on instances of UserMessageHandler",
      fn: "DataCloneError: The object can not be cloned.", node: "DataCloneError: The object can not be cloned.",
    });
    await page.close();
  });

  test("plain mode resolves undefined at once, and the answer comes by handleNativeResponse", async () => {
    const page = await open("", 'data-handlers="bridge:plain,analytics:plain"');
    const result = await page.evaluate(async () => {
      const { bridge } = webkit.messageHandlers;
      const answered = new Promise(resolve => { window.handleNativeResponse = (...args) => resolve(args); });
      const posted = await bridge.postMessage({ eventName: "conformance.echo", requestId: 7, a: 1 });
      const seen = [posted === undefined, await answered];
      bridge.postMessage({ eventName: "conformance.wait", ms: 600_000 }).then(value => seen.push(value === undefined));
      await bridgehead.request("conformance.echo");
      return { seen, analytics: "analytics" in webkit.messageHandlers };
    });
    assert.deepEqual(result, { seen: [true, [{ a: 1 }, 7], true], analytics: true });
    await page.close();
  });

  for (const mode of ["plain", "reply"]) {
    test(`a failure where the page has handleNativeResponse is a console error that says so: ${mode}`, async () => {
      const page = await open("<script>window.handleNativeResponse = () => {}</script>", `data-handlers="bridge:${mode}"`);
      await page.evaluate(() => { webkit.messageHandlers.bridge.postMessage({ eventName: "conformance.throw", text: "it broke" }); });
      const line = await page.waitForConsole(/it broke/);
      assert.equal(line.type, "error");
      assert.match(line.text, /handleNativeResponse/);
      // What was not caught would have been told by now.
      await page.evaluate(() => bridgehead.request("conformance.echo").then(() => {}));
      assert.deepEqual(page.errors, []);
      await page.close();
    });
  }

  test("Android's surface", async () => {
    const page = await open("", 'data-platform="android"');
    const result = await page.evaluate(async () => {
      const answered = new Promise(resolve => { window.bridge.onmessage = event => resolve(JSON.parse(event.data)); });
      window.bridge.postMessage(JSON.stringify({ eventName: "conformance.echo", requestId: "a", x: 1 }));
      return { answer: await answered, webkit: typeof window.webkit };
    });
    assert.deepEqual(result, { answer: { requestId: "a", response: { x: 1 } }, webkit: "undefined" });
    await page.close();
  });
});

test("evaluation is off unless the page allows it, and then works", async () => {
  const evaluate = page => page.evaluate(() => bridgehead.request("conformance.callPage",
    { event: "$/page.evaluate", payload: { script: "1 + 2" } }).catch(error => error.code));
  const off = await open();
  assert.equal(await evaluate(off), -32601);
  await off.close();
  const on = await open("", "data-allow-evaluate");
  assert.equal(await evaluate(on), 3);
  await on.close();
});
