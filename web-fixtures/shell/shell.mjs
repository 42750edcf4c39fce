// The phone: a view of the state that Swift sends, and of nothing else. What is pressed is told to Swift.
//
// For drivers: body has data-status "connecting" | "ready" | "gone". Buttons #back #forward #reload (#reload has data-does
// "reload" | "stop"), #address (an input: Enter opens), #progress, #phone[data-device][data-look][data-rotated], #page (the
// iframe), #notice[data-kind] with #notice-confirm, #notice-dismiss, #notice-retry, #notice-window, #notice-edit,
// dialog#sheet[data-kind] with #sheet-ok, #sheet-cancel, #sheet-text, #banner, #toast. Beside the phone: #device and #platform
// (selects), #rotate, #scheme and #explain (switches: aria-checked), #connection[data-connection], #overlays.

import { Address } from "./address.mjs";
import { byId, make } from "./elements.mjs";
import { Frame } from "./frame.mjs";
import { link } from "./link.mjs";
import { Notice } from "./notice.mjs";
import { Panel } from "./panel.mjs";
import { Phone } from "./phone.mjs";
import { Sheet } from "./sheet.mjs";
import { Toolbar } from "./toolbar.mjs";

const query = new URLSearchParams(location.search);
leaveAnotherPhone();
const chrome = query.get("chrome") === "bare" ? "bare" : "full";
document.documentElement.dataset.chrome = chrome;

/** The state that is shown. */
let shown;
/** What had the focus when the native side went. */
let focused;

const phone = new Phone();
const frame = new Frame(() => send("shell.frameDidLoad"));
const toolbar = new Toolbar((name) => send(name));
const address = new Address((input) => {
  send("shell.open", { input });
  (frame.element ?? byId("reload")).focus();
});
const sheet = new Sheet((answer) => send("shell.answer", answer));
const notice = new Notice({
  confirm: () => send("shell.confirm"),
  dismiss: () => send("shell.dismissNotice"),
  retry: (input) => send("shell.open", { input }),
  openWindow: (url) => {
    if (!frame.openWindow(url, shown.device.page)) say("The browser has blocked the window: allow this page to open windows.");
  },
  edit: () => address.focus(),
});
const panel = new Panel((name, payload) => send(name, payload));

const send = link({ url: query.get("url"), chrome }, { state: show, gone, failed: say });

function show(state) {
  shown = state;
  document.documentElement.dataset.scheme = state.scheme;
  document.title = [state.title, state.device.name].filter(Boolean).join(" – ");
  byId("banner").hidden = true;
  for (const control of document.querySelectorAll("#address, #notice button, #sheet button, #sheet input")) control.disabled = false;
  phone.show(state);
  frame.show(state);
  byId("blank").hidden = frame.element !== undefined || state.notice !== null;
  if (frame.isInWindow) byId("blank-text").textContent = "The page is in a window of its own.";
  else byId("blank-text").replaceChildren("Enter an address, or open one of the ", make("a", { href: "/", textContent: "demo pages" }), ".");
  toolbar.show(state);
  address.show(state);
  notice.show(state);
  sheet.show(state);
  panel.show(state);
  document.body.dataset.status = "ready";
  if (focused?.isConnected && document.activeElement === document.body) focused.focus();
  focused = undefined;
}

/** The page stays as it is; everything that Swift would have to answer waits. */
function gone() {
  if (document.body.dataset.status === "gone") return;
  document.body.dataset.status = "gone";
  if (byId("screen").contains(document.activeElement) || byId("panel").contains(document.activeElement)) focused = document.activeElement;
  for (const control of document.querySelectorAll("#bar button, #address, #notice button, #sheet button, #sheet input")) control.disabled = true;
  byId("toast").hidden = true;
  byId("banner").hidden = false;
  byId("progress").hidden = true;
  if (shown === undefined) byId("blank-text").textContent = "Start it with “bridgehead serve” in a terminal.";
  panel.gone();
}

let timer;
/** Says for a while why something did not work. */
function say(message) {
  clearTimeout(timer);
  byId("toast-text").textContent = message;
  byId("toast").hidden = false;
  timer = setTimeout(() => (byId("toast").hidden = true), 8000);
}

/** In a phone, a link to the phone shows its page: a phone in a phone is of no use. */
function leaveAnotherPhone() {
  if (!window.name.startsWith("bridgehead-phone:")) return;
  const url = URL.parse(query.get("url") ?? "/", location.href);
  if (/^https?:$/.test(url?.protocol)) location.replace(url);
}
