const known = new WeakMap();

/**
 * The phone that the page is shown on: its window is named `bridgehead-phone:ID:PLATFORM`, be it the phone shell's frame or
 * a window of its own (PROTOCOL.md, section 7).
 * @param {Window} window
 * @returns {{id: string, platform: "ios" | "android"} | undefined} As it was at first: a page may give its window another name.
 */
export function phoneOf(window) {
  if (!known.has(window)) {
    const [, id, platform] = /^bridgehead-phone:([\w-]{1,64}):(ios|android)$/.exec(window.name) ?? [];
    known.set(window, id && { id, platform });
  }
  return known.get(window);
}

/** Whether the page is all that its window, or its phone, shows. */
export function isMainFrame(window) {
  return window.parent === window || phoneOf(window) !== undefined;
}

/**
 * What the page's part of the history holds, where the browser tells: of a server that has just started nobody else knows.
 * @param {Window} window
 * @returns {{urls: string[], index: number} | undefined} At most 50, with the page's own.
 */
export function entries({ navigation }) {
  const all = navigation?.entries?.() ?? [];
  const current = navigation?.currentEntry?.index ?? -1;
  if (!all[current]) return undefined;
  const first = Math.max(0, Math.min(current - 25, all.length - 50));
  return { urls: all.slice(first, first + 50).map(({ url }) => url ?? "about:blank"), index: current - first };
}

/**
 * What a page on a phone leaves to the native side: windows, which the phone has no place for, and dialogs.
 * @param {Window} window
 * @returns {Function} A part of the bridge.
 */
export function phone(window) {
  return (core) => {
    const isGone = () => core.bridge.status === "closed" || core.bridge.status === "off";
    const tellWindow = (url) => {
      core.tell("$/page.window", { url, hasUserGesture: window.navigator.userActivation?.isActive ?? false });
    };
    replaceOpen(window, isGone, tellWindow);
    watchLinks(window, isGone, tellWindow);
    const { alert } = window;
    window.alert = (message = "") => {
      if (isGone()) alert.call(window, message);
      else core.tell("$/page.dialog", { kind: "alert", message: String(message) });
    };
  };
}

/** As in an app whose windows open in the page itself: a script gets null for them. */
function replaceOpen(window, isGone, tellWindow) {
  const { open } = window;
  window.open = (url = "", target = "_blank", ...rest) => {
    const place = placeOf(window, String(target) || "_blank");
    if (place === "frame" || isGone()) return open.call(window, url, target, ...rest);
    if (url === "") return place === "own" ? window : null;
    let absolute;
    try {
      absolute = new URL(url, window.document.baseURI).href;
    } catch {
      throw new DOMException(`Unable to open a window with invalid URL '${url}'.`, "SyntaxError");
    }
    if (place === "own") return open.call(window, absolute, "_self");
    tellWindow(absolute);
    return null;
  };
}

/** Links that lead out of the page's frame, once the page's own listeners have left them to the browser. */
function watchLinks(window, isGone, tellWindow) {
  window.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.composedPath().find((node) => /^(a|area)$/.test(node.localName) && typeof node.href === "string");
    if (!link?.href || link.hasAttribute("download")) return;
    const target = link.target || window.document.querySelector("base[target]")?.target || "_self";
    const place = placeOf(window, target);
    if (place === "frame" || target.toLowerCase() === "_self" || (place === "window" && isGone())) return;
    event.preventDefault();
    if (place === "own") window.location.assign(link.href);
    else tellWindow(link.href);
  });
}

/** Where a target leads: to the page itself, which has nothing above it, to a frame in it, or to a new window. */
function placeOf(window, target) {
  if (/^_(self|parent|top)$/i.test(target) || target === window.name) return "own";
  const isFrame = [...window.document.getElementsByName(target)].some(({ localName }) => /^i?frame$/.test(localName));
  return isFrame ? "frame" : "window";
}
