import { phoneOf } from "./phone.mjs";

/** Where the tab's id is, for its documents of one origin. */
const key = "bridgehead.tab";

/**
 * What names the tab, whichever document it shows: the native side follows a page by it from document to document.
 * @param {Window} window
 * @returns {string | undefined} Nothing where the page may not store anything.
 */
export function tabId(window) {
  const phone = phoneOf(window);
  if (phone) return `phone:${phone.id}`;
  try {
    const { sessionStorage } = window;
    // A window that a page has opened begins with a copy of that page's storage.
    const isCopy = window.opener !== null && window.opener !== undefined && window.history.length === 1;
    const known = isCopy ? null : sessionStorage.getItem(key);
    if (known) return known;
    const made = newId();
    sessionStorage.setItem(key, made);
    return made;
  } catch {
    return undefined;
  }
}

/**
 * How the document came to be, in the words of the Navigation API: "push", "replace", "reload" or "traverse".
 * @param {Window} window
 * @returns {string | undefined} Nothing where the browser does not tell.
 */
export function navigationType({ navigation, performance }) {
  const type = navigation?.activation?.navigationType;
  if (type) return type;
  const [entry] = performance?.getEntriesByType?.("navigation") ?? [];
  return { navigate: "push", reload: "reload", back_forward: "traverse" }[entry?.type];
}

/** @returns {string} One that no other is. */
export function newId() {
  const bytes = globalThis.crypto?.getRandomValues(new Uint8Array(16)) ?? Array.from({ length: 16 }, () => Math.random() * 256);
  return Array.from(bytes, (byte) => (byte & 255).toString(16).padStart(2, "0")).join("");
}
