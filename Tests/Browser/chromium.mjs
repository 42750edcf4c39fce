// Real headless Chromium over the DevTools protocol, by pipe: no port is opened.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** No wait of a test takes longer; in milliseconds. */
const patience = 20_000;

/** Starts Chromium; `flags` are added to its command line. Call `close` on what it returns. */
export async function launch({ flags = [] } = {}) {
  const profile = mkdtempSync(join(tmpdir(), "bridgehead-chromium-"));
  const isRoot = process.getuid?.() === 0;
  const child = spawn(process.env.CHROMIUM ?? "chromium", [
    "--headless=new", "--remote-debugging-pipe", `--user-data-dir=${profile}`, "--no-first-run",
    "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
    "--disable-default-apps", "--disable-sync", "--mute-audio", "--force-color-profile=srgb",
    // Chromium refuses to start its sandbox as root, which is what a CI container is.
    ...(isRoot ? ["--no-sandbox"] : []), ...flags, "about:blank",
    // A process group of its own, so that all of its processes can be ended at once.
  ], { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"], detached: true });
  let errors = "";
  child.stderr.on("data", chunk => { errors = (errors + chunk).slice(-4000); });
  return new Browser(child, profile, () => errors);
}

class Browser {
  #child; #profile; #errors; #next = 1; #pending = new Map(); #sessions = new Map(); #buffer = []; #gone;

  constructor(child, profile, errors) {
    this.#child = child;
    this.#profile = profile;
    this.#errors = errors;
    child.stdio[4].on("data", chunk => this.#read(chunk));
    child.stdio[3].on("error", () => {});
    this.#gone = new Promise(resolve => {
      child.once("error", resolve);
      child.once("exit", resolve);
    });
    this.#gone.then(() => {
      for (const { reject } of this.#pending.values()) reject(new Error(`Chromium ended: ${this.#errors()}`));
      this.#pending.clear();
    });
  }

  send(method, params = {}, sessionId) {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#pending.set(id, { resolve, reject, method });
      this.#child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    });
  }

  /** Opens `url` in a context of its own (cookies, storage and cache apart); resolves once it has loaded. */
  async open(url, options = {}) {
    const { browserContextId } = await this.send("Target.createBrowserContext");
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    this.#sessions.set(sessionId, page);
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await page.send(`${domain}.enable`);
    if (options.viewport) await page.viewport(options.viewport);
    if (options.scheme) await page.scheme(options.scheme);
    if (url !== "about:blank") await page.goto(url);
    return page;
  }

  async close() {
    process.kill(-this.#child.pid, "SIGKILL");
    await this.#gone;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  #read(chunk) {
    let start = 0;
    for (let end; (end = chunk.indexOf(0, start)) >= 0; start = end + 1) {
      this.#buffer.push(chunk.subarray(start, end));
      this.#receive(JSON.parse(Buffer.concat(this.#buffer).toString()));
      this.#buffer = [];
    }
    if (start < chunk.length) this.#buffer.push(chunk.subarray(start));
  }

  #receive(message) {
    if (message.id === undefined) return this.#sessions.get(message.sessionId)?.event(message.method, message.params);
    const entry = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.error) entry?.reject(new Error(`${entry.method}: ${message.error.message}`));
    else entry?.resolve(message.result);
  }
}

/** One tab. `console` holds what its pages printed, `errors` what they threw, since it was opened. */
class Page {
  #browser; #sessionId; #listeners = new Set();
  console = []; errors = [];

  constructor(browser, sessionId, targetId) {
    this.#browser = browser;
    this.#sessionId = sessionId;
    this.targetId = targetId;
  }

  send(method, params) { return this.#browser.send(method, params, this.#sessionId); }

  event(method, params) {
    if (method === "Runtime.consoleAPICalled") {
      const text = params.args.map(a => a.value ?? a.description ?? String(a.unserializableValue ?? a.type)).join(" ");
      this.console.push({ type: params.type, text });
    } else if (method === "Log.entryAdded") {
      this.console.push({ type: params.entry.level, text: params.entry.text });
    } else if (method === "Runtime.exceptionThrown") {
      this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    }
    for (const listener of this.#listeners) listener(method, params);
  }

  /** Resolves with the first value that `pick(method, params)` makes of an event; rejects if there is none in time. */
  #first(what, pick) {
    return new Promise((resolve, reject) => {
      const finish = () => { clearTimeout(timer); this.#listeners.delete(listener); };
      const listener = (method, params) => {
        const value = pick(method, params);
        if (value === undefined) return;
        finish();
        resolve(value);
      };
      const timer = setTimeout(() => { finish(); reject(new Error(`no ${what} within ${patience / 1000} s`)); }, patience);
      this.#listeners.add(listener);
    });
  }

  /** Resolves with the params of the next event that is one of `methods`; rejects if none comes. */
  next(...methods) { return this.#first(methods, (method, params) => methods.includes(method) ? params : undefined); }

  /** Resolves with the status of the next answer from `url`, whether or not the page may know it. */
  status(url) {
    // Either may come first: extra info is told by another process.
    const addresses = new Map(), codes = new Map();
    return this.#first(`answer from ${url}`, (method, { requestId, request, statusCode }) => {
      if (method === "Network.requestWillBeSent") addresses.set(requestId, request.url);
      else if (method === "Network.responseReceivedExtraInfo") codes.set(requestId, statusCode);
      else return undefined;
      return addresses.get(requestId) === url ? codes.get(requestId) : undefined;
    });
  }

  async goto(url) {
    const loaded = this.next("Page.loadEventFired");
    const { errorText } = await this.send("Page.navigate", { url });
    if (errorText) throw new Error(`${url}: ${errorText}`);
    await loaded;
  }

  async reload() {
    const loaded = this.next("Page.loadEventFired");
    await this.send("Page.reload");
    await loaded;
  }

  /** Calls `fn` in the page with JSON `args`; awaits what it returns. */
  async evaluate(fn, ...args) {
    const expression = typeof fn === "string" ? fn : `(${fn})(...${JSON.stringify(args)})`;
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression, awaitPromise: true, returnByValue: true, userGesture: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Resolves with `fn(...args)` in the page as soon as it is truthy, checked at each change and frame. */
  waitFor(fn, ...args) {
    return this.evaluate(`new Promise((resolve, reject) => {
      const check = () => (${fn})(...${JSON.stringify(args)});
      const end = performance.now() + ${patience};
      const step = () => {
        try {
          const value = check();
          if (value) return resolve(value);
        } catch (error) { return reject(error); }
        if (performance.now() > end) return reject(new Error("not in time: " + ${JSON.stringify(String(fn))} + "\\n" + document.body?.innerText.slice(0, 1500)));
        setTimeout(step, 10);
      };
      step();
    })`);
  }

  /** Resolves once a console line matches `pattern`, printed already or later. */
  async waitForConsole(pattern) {
    const found = () => this.console.find(line => pattern.test(line.text));
    while (!found()) {
      await this.next("Runtime.consoleAPICalled", "Log.entryAdded").catch(error => {
        throw new Error(`no ${pattern} on the console: ${error.message}\n${JSON.stringify(this.console, null, 1)}`);
      });
    }
    return found();
  }

  click(selector) {
    return this.evaluate(selector => {
      const element = document.querySelector(selector);
      if (!element) throw new Error(`no element ${selector}`);
      element.click();
    }, selector);
  }

  text(selector) {
    return this.evaluate(selector => document.querySelector(selector)?.textContent, selector);
  }

  viewport({ width, height, scale = 1, mobile = false }) {
    return this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: scale, mobile });
  }

  scheme(value) {
    return this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
  }

  async screenshot() {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  close() { return this.#browser.send("Target.closeTarget", { targetId: this.targetId }); }
}
