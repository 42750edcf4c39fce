// The page's own pending map over postMessage, and a global that the native side calls.
//
// For drivers: click #ask-three or #ask-one. #request-rows holds one <tr> a request, newest first, with data-request-id,
// data-event and data-state "waiting" | "answered" | "failed"; the answer is the text of its last cell.
// #pending-count has data-count, the size of the map. Submit #rename (field #new-title): native calls updateTitle(text);
// #page-title then has data-state "done", data-count (calls so far) and the text, and so has document.title.
// #messages and #messages-count: see log.js. #pattern is the code below as it is shown on the page.

const pending = new Map();
const documentId = Math.random().toString(36).slice(2, 8);
let lastId = 0;

function request(eventName, payload = {}) {
  return new Promise((resolve, reject) => {
    const requestId = `${documentId}.${++lastId}`;
    const timer = setTimeout(() => settle(requestId, new Error("no answer in 10 s")), 10_000);
    pending.set(requestId, { resolve, reject, timer }); // before posting: answers can be quick
    window.webkit.messageHandlers.bridge.postMessage({ ...payload, eventName, requestId });
  });
}

function settle(requestId, error, response) {
  const entry = pending.get(requestId);
  if (!entry) return; // settled before, or another document's
  pending.delete(requestId);
  clearTimeout(entry.timer);
  if (error) entry.reject(error);
  else entry.resolve(response);
}

window.handleNativeResponse = (response, requestId) => settle(requestId, null, response);

// Native calls this one.
window.updateTitle = (text) => {
  document.title = text;
  logMessage("to-page", `updateTitle(${JSON.stringify(text)})`);
  const line = document.getElementById("page-title");
  line.dataset.state = "done";
  line.dataset.count = Number(line.dataset.count) + 1;
  line.textContent = text;
};

// From here on it is only what the page shows.

const shownRows = 12;

async function ask(eventName, payload) {
  const answer = request(eventName, payload);
  const row = addRow(`${documentId}.${lastId}`, eventName, payload);
  try {
    const response = await answer;
    logMessage("to-page", { requestId: row.dataset.requestId, response });
    finishRow(row, "answered", typeof response === "string" ? response : JSON.stringify(response));
  } catch (error) {
    finishRow(row, "failed", window.webkit?.messageHandlers?.bridge
      ? error.message
      : "There is no native side here. Open this page in the app, or start the server and reload.");
  }
}

function addRow(requestId, eventName, payload = {}) {
  logMessage("to-native", { ...payload, eventName, requestId });
  const row = document.createElement("tr");
  row.dataset.requestId = requestId;
  row.dataset.event = eventName;
  row.dataset.state = "waiting";
  const id = Object.assign(document.createElement("td"), { textContent: requestId });
  id.append(Object.assign(document.createElement("small"), { textContent: eventName }));
  row.append(id, Object.assign(document.createElement("td"), { textContent: "waiting…" }));
  const rows = document.getElementById("request-rows");
  rows.prepend(row);
  while (rows.children.length > shownRows) rows.lastElementChild.remove();
  document.getElementById("requests").hidden = false;
  document.getElementById("requests-empty").hidden = true;
  showPending();
  return row;
}

function finishRow(row, state, text) {
  row.dataset.state = state;
  row.cells[1].textContent = text;
  showPending();
}

function showPending() {
  const count = document.getElementById("pending-count");
  count.dataset.count = pending.size;
  count.textContent = `${pending.size} pending`;
}

document.getElementById("ask-one").addEventListener("click", () => ask("getRandomTitle"));
document.getElementById("ask-three").addEventListener("click", () => {
  for (let index = 0; index < 3; index += 1) ask("getRandomTitle");
});
document.getElementById("rename").addEventListener("submit", (event) => {
  event.preventDefault();
  ask("renamePage", { title: document.getElementById("new-title").value });
});
