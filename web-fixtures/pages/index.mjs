// The index: the connection, the events, and the lines to copy.
//
// For drivers: #status and #drawing have data-status "connecting" | "connected" | "disconnected". #events holds one <li> an
// event with data-event; #events-count has data-count, empty while it is not known. #snippet is the script tag with this
// server's origin; button[data-copy] copies the text of the element it names, and #copied then says so.

import { bridge } from "/_bridge/client.mjs";
import { showConnection } from "./connection.mjs";

/** By name, but the app's own events before those that test the protocol. */
function compare(a, b) {
  const isTest = (name) => Number(name.startsWith("conformance."));
  return isTest(a) - isTest(b) || (a < b ? -1 : 1);
}

/** Shows the names, or, given none at all, that they are not known. */
function showEvents(names) {
  document.getElementById("events").replaceChildren(...[...(names ?? [])].sort(compare).map((name) => {
    const item = document.createElement("li");
    item.dataset.event = name;
    item.append(Object.assign(document.createElement("code"), { textContent: name }));
    return item;
  }));
  const count = document.getElementById("events-count");
  count.dataset.count = names?.length ?? "";
  count.textContent = names?.length ?? "not known";
  const empty = document.getElementById("events-empty");
  empty.hidden = names?.length > 0;
  empty.textContent = names
    ? "No event has a handler yet. Register one in Swift, or write its answer in an answers file."
    : "The list appears when this page is connected.";
}

async function copy(element) {
  const said = document.getElementById("copied");
  try {
    await navigator.clipboard.writeText(element.textContent);
    said.textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(element);
    said.textContent = "This browser does not let the page copy. The text is selected: copy it with the keyboard.";
  }
}

document.getElementById("snippet").textContent = `<script src="${location.origin}/_bridge/client.js"></script>`;
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.addEventListener("click", () => copy(document.getElementById(button.dataset.copy)));
}

showConnection(bridge, (status) => {
  document.getElementById("drawing").dataset.status = status;
  showEvents(status === "connected" ? bridge.events : undefined);
});
bridge.addEventListener("eventschange", () => showEvents(bridge.events));
