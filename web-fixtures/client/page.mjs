import { callFunction } from "./functions.mjs";
import { BridgeError, codes, invalidParams } from "./errors.mjs";

/**
 * What the page tells of itself, `$/page.url` and `$/page.state`, one for every change; and what the native side may ask
 * of it (PROTOCOL.md, section 7).
 * @param {Window} window
 * @returns {Function} A part of the bridge.
 */
export function page(window) {
  return (core) => {
    const reporter = new Reporter(window, core.tell);
    core.greeted.add(() => reporter.begin());
    for (const [name, answer] of pageRequests(window)) core.protocol.set(name, answer);
  };
}

function pageRequests(window) {
  const { location, history } = window;
  const afterAnswer = (action) => {
    setTimeout(action); // the answer goes out before the navigation begins
    return null;
  };
  return [
    ["$/page.callFunction", (params, call) => callFunction(window, params, call)],
    ["$/page.load", ({ url }) => {
      const target = httpURL(url, location.href);
      return afterAnswer(() => location.assign(target));
    }],
    ["$/page.reload", () => afterAnswer(() => location.reload())],
    ["$/page.stop", () => afterAnswer(() => window.stop())],
    ["$/page.go", ({ delta }) => {
      if (!Number.isInteger(delta)) throw invalidParams("$.delta", "a whole number");
      return afterAnswer(() => history.go(delta));
    }],
    ...["$/page.evaluate", "$/page.call"].map((name) => [name, () => {
      const reason = "the page does not allow evaluation: <script src=\"…/client.js\" data-allow-evaluate>";
      throw new BridgeError(codes.methodNotFound, "Method not found", { data: { eventName: name, reason } });
    }]),
  ];
}

function httpURL(text, base) {
  let url;
  try {
    url = typeof text === "string" ? new URL(text, base) : undefined;
  } catch {
    // falls through to the failure
  }
  if (url?.protocol !== "http:" && url?.protocol !== "https:") throw invalidParams("$.url", "an http or https URL");
  return url.href;
}

/** Watches the page's address, title and progress, and tells each change in its place. */
class Reporter {
  #window;
  #tell;
  #sequence = 0;
  #url;
  #title;
  #stage;
  #index;
  #titles;
  #last = "";

  constructor(window, tell) {
    this.#window = window;
    this.#tell = tell;
    const { document, location } = window;
    this.#url = location.href;
    this.#title = document.title;
    this.#stage = document.readyState;
    this.#index = entryIndex(window);
    this.#watchTitle();
    this.#watchHistory();
    this.#tellURL("load");
    document.addEventListener("readystatechange", () => {
      // "complete" comes just before the "load" event, in which the page counts as still loading.
      if (document.readyState === "interactive") this.#enter("interactive");
    });
    window.addEventListener("load", () => this.#enter("complete"));
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) this.#moved("traverse", entryIndex(window));
    });
  }

  /** A session has begun: it knows the state from now on. */
  begin() {
    this.#last = "";
    this.#tellState();
  }

  #enter(stage) {
    this.#readTitles();
    this.#stage = stage;
    this.#tellState();
  }

  #watchHistory() {
    const { navigation } = this.#window;
    if (navigation?.currentEntry) {
      let isHash = false;
      navigation.addEventListener("navigate", ({ hashChange }) => (isHash = hashChange));
      navigation.addEventListener("currententrychange", ({ navigationType }) => {
        if (navigationType !== null) this.#moved(navigationType, entryIndex(this.#window), undefined, isHash);
      });
    } else {
      this.#watchOldHistory();
    }
  }

  /** Without the Navigation API: the two methods, wrapped, and the events that follow the rest. */
  #watchOldHistory() {
    const { history } = this.#window;
    const moved = (cause, url, isHash) => this.#window.location.href !== this.#url && this.#moved(cause, null, url, isHash);
    for (const [name, cause] of [["pushState", "push"], ["replaceState", "replace"]]) {
      const original = history[name];
      history[name] = function (...parameters) {
        moved("push", undefined, true); // a fragment set before in this turn, whose event is still to come
        const result = original.apply(this, parameters);
        moved(cause);
        return result;
      };
    }
    this.#window.addEventListener("popstate", () => moved("traverse"));
    // Of several fragments set in one turn each has its event, with the address that it led to.
    this.#window.addEventListener("hashchange", ({ oldURL, newURL }) => moved("push", oldURL === this.#url ? newURL : undefined, true));
  }

  #moved(cause, index, url = this.#window.location.href, isHash = false) {
    this.#readTitles();
    if (url === this.#url && index === this.#index) return;
    this.#url = url;
    this.#index = index;
    this.#tellURL(cause, isHash);
    this.#tellState();
  }

  #watchTitle() {
    const { document, MutationObserver } = this.#window;
    const root = document.head ?? document.documentElement;
    if (!root || !MutationObserver) return;
    this.#titles = new MutationObserver((records) => this.#readTitles(records));
    this.#titles.observe(root, { childList: true, characterData: true, subtree: true });
  }

  /** Several changes of the title in one turn come as one list; each is told. */
  #readTitles(records = this.#titles?.takeRecords() ?? []) {
    for (const { target, addedNodes } of records) {
      if (target.nodeName !== "TITLE" || addedNodes.length === 0) continue;
      this.#setTitle(Array.from(addedNodes, (node) => node.textContent).join(""));
    }
    this.#setTitle(this.#window.document.title);
  }

  #setTitle(text) {
    const title = text.replace(/[\t\n\f\r ]+/g, " ").trim();
    if (title === this.#title) return;
    this.#title = title;
    this.#tellState();
  }

  #tellURL(cause, isHash = false) {
    const change = { url: this.#url, cause, index: this.#index, sequence: this.#sequence++ };
    this.#tell("$/page.url", isHash ? { ...change, isHash } : change);
  }

  #tellState() {
    const { navigation, history } = this.#window;
    const state = {
      url: this.#url,
      title: this.#title,
      isLoading: this.#stage !== "complete",
      estimatedProgress: { loading: 0.1, interactive: 0.5, complete: 1 }[this.#stage],
      canGoBack: navigation?.canGoBack ?? history.length > 1,
      canGoForward: navigation?.canGoForward ?? false,
    };
    const text = JSON.stringify(state);
    if (text === this.#last) return;
    this.#last = text;
    this.#tell("$/page.state", state);
  }
}

/** The place of the document in the history, where the browser tells it. */
function entryIndex({ navigation }) {
  return navigation?.currentEntry?.index ?? null;
}
