// The bundled client at work.
//
// For drivers. #status: see connection.mjs; #messages, #messages-count: see log.js. Every result has data-state
// "idle" | "running" | "done" | "failed" (a download also "cancelled").
// - Many at once: submit #many (field #many-count). #many-result has data-total, data-answered, data-matched.
// - Download: submit #download (field #download-url), click #download-cancel. #download-bar's value is 0…1; #download-result
//   has data-received and data-total of the last progress, data-reports (how many came), and data-path when done.
// - Failures: click #sign-in, #add-wrong, #misspell, #add-right. #failure has data-event and data-code; #failure-facts holds
//   <dd data-fact="code|message|path|expected|nearest|help|…">.
// - Native asks: submit #ask (field #ask-question). #questions then holds .question with the buttons [data-answer="yes"] and
//   [data-answer="no"]; #ask-result has data-answer, the answer to askPage as JSON.
// - Device: click #device. #device-facts holds <dd data-fact=NAME> for each member of the answer.

import { bridge } from "/_bridge/client.mjs";
import { showConnection } from "./connection.mjs";

const byId = (id) => document.getElementById(id);

showConnection(bridge);

/** `bridge.request`, with what crosses shown in the log. */
async function request(eventName, payload, options = {}) {
  logMessage("to-native", { eventName, ...payload });
  const { onProgress } = options;
  const onLoggedProgress = (progress) => {
    logMessage("to-page", { eventName, progress });
    onProgress(progress);
  };
  try {
    const response = await bridge.request(eventName, payload, onProgress ? { ...options, onProgress: onLoggedProgress } : options);
    logMessage("to-page", { eventName, response });
    return response;
  } catch (error) {
    if (options.signal?.aborted) logMessage("to-native", { eventName: "$/cancelRequest", of: eventName });
    else logMessage("to-page", { eventName, error: { code: error.code, message: error.message } });
    throw error;
  }
}

function showState(id, state, text) {
  byId(id).dataset.state = state;
  if (text !== undefined) byId(id).textContent = text;
}

/** Shows names and values as text in the list `id`; a member that is undefined is left out. */
function showFacts(id, facts) {
  const rows = Object.entries(facts).filter(([, value]) => value !== undefined).flatMap(([name, value]) => {
    const term = Object.assign(document.createElement("dt"), { textContent: name });
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const detail = Object.assign(document.createElement("dd"), { textContent: text });
    detail.dataset.fact = name;
    return [term, detail];
  });
  byId(id).replaceChildren(...rows);
  byId(id).hidden = rows.length === 0;
}

const describe = (error) => (error.code === undefined ? error.message : `${error.code}: ${error.message}`);

// Many at once

async function sendMany(total) {
  const cells = Array.from({ length: total }, () => document.createElement("i"));
  byId("many-cells").replaceChildren(...cells);
  const result = byId("many-result");
  Object.assign(result.dataset, { state: "running", total, answered: 0, matched: 0 });
  result.textContent = `${total} sent…`;
  const began = performance.now();
  let answered = 0;
  let matched = 0;
  let failure;
  await Promise.all(cells.map(async (cell, number) => {
    try {
      const response = await request("echo", { number });
      answered += 1;
      if (response.number !== number) throw new Error(`request ${number} got the answer of ${response.number}`);
      matched += 1;
      cell.dataset.state = "answered";
    } catch (error) {
      failure ??= error;
      cell.dataset.state = "failed";
    }
  }));
  const milliseconds = Math.max(1, Math.round(performance.now() - began));
  Object.assign(result.dataset, { state: matched === total ? "done" : "failed", answered, matched });
  result.textContent = matched === total
    ? `${total} of ${total} got their own answer, in ${milliseconds} ms.`
    : `${matched} of ${total} got their own answer. ${describe(failure)}`;
}

byId("many").addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = event.target.querySelector("button");
  button.disabled = true;
  await sendMany(byId("many-count").valueAsNumber);
  button.disabled = false;
});

// Progress and cancelling

let downloading;

byId("download").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (downloading) return;
  downloading = new AbortController();
  byId("download-start").disabled = true;
  byId("download-cancel").disabled = false;
  const bar = byId("download-bar");
  bar.value = 0;
  const result = byId("download-result");
  Object.assign(result.dataset, { state: "running", received: 0, total: "", reports: 0, path: "" });
  result.textContent = "Waiting for the first report…";
  try {
    const { path } = await request("download", { url: byId("download-url").value }, {
      signal: downloading.signal,
      onProgress: ({ received, total }) => {
        bar.value = received / total;
        Object.assign(result.dataset, { received, total, reports: Number(result.dataset.reports) + 1 });
        result.textContent = `${received} of ${total} received.`;
      },
    });
    result.dataset.path = path;
    showState("download-result", "done", `Saved as ${path}`);
  } catch (error) {
    if (downloading.signal.aborted) showState("download-result", "cancelled", `Cancelled: ${error.name}. Native stopped too.`);
    else showState("download-result", "failed", describe(error));
  } finally {
    const hadFocus = document.activeElement === byId("download-cancel");
    downloading = undefined;
    byId("download-start").disabled = false;
    byId("download-cancel").disabled = true;
    if (hadFocus) byId("download-start").focus();
  }
});

byId("download-cancel").addEventListener("click", () => downloading?.abort());

// Failures

async function tryEvent(eventName, payload) {
  const failure = byId("failure");
  Object.assign(failure.dataset, { state: "running", event: eventName, code: "" });
  byId("failure-text").textContent = `${eventName} …`;
  showFacts("failure-facts", {});
  try {
    const response = await request(eventName, payload);
    failure.dataset.state = "done";
    byId("failure-text").textContent = `${eventName} was answered.`;
    showFacts("failure-facts", { response });
  } catch (error) {
    failure.dataset.state = "failed";
    failure.dataset.code = error.code ?? "";
    byId("failure-text").textContent = `${eventName} failed.`;
    const { nearest, ...data } = error.data ?? {};
    showFacts("failure-facts", { code: error.code, message: error.message, ...data, nearest: nearest?.join(", ") });
  }
}

byId("sign-in").addEventListener("click", () => tryEvent("signIn"));
byId("add-wrong").addEventListener("click", () => tryEvent("addToCart", { id: 7, price: "4.50" }));
byId("add-right").addEventListener("click", () => tryEvent("addToCart", { id: 7, price: 4.5, note: "gift" }));
byId("misspell").addEventListener("click", () => tryEvent("getRandomTitel"));

// Native asks the page

bridge.handle("confirmRead", ({ question }, { signal }) => {
  logMessage("to-page", { eventName: "confirmRead", question });
  return new Promise((resolve) => {
    const box = document.createElement("div");
    box.className = "question";
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Question from native");
    const way = Object.assign(document.createElement("span"), { className: "way", textContent: "⬇\uFE0E native → page" });
    way.dataset.direction = "to-page";
    const text = Object.assign(document.createElement("strong"), { textContent: question });
    const row = Object.assign(document.createElement("div"), { className: "row" });
    for (const [answer, label] of [["yes", "Yes"], ["no", "No"]]) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
      button.dataset.answer = answer;
      button.addEventListener("click", () => {
        const confirmed = answer === "yes";
        logMessage("to-native", { of: "confirmRead", response: confirmed });
        box.remove();
        byId("ask-question").focus();
        resolve(confirmed);
      });
      row.append(button);
    }
    box.append(way, text, row);
    signal.addEventListener("abort", () => box.remove()); // native no longer waits, or is gone
    byId("questions").append(box);
  });
});

byId("ask").addEventListener("submit", async (event) => {
  event.preventDefault();
  showState("ask-result", "running", "Native is asking; answer above.");
  byId("ask-result").dataset.answer = "";
  try {
    const answer = await request("askPage", { question: byId("ask-question").value });
    byId("ask-result").dataset.answer = JSON.stringify(answer);
    showState("ask-result", "done", `Native heard: ${JSON.stringify(answer)}`);
  } catch (error) {
    showState("ask-result", "failed", describe(error));
  }
});

// The device

byId("device").addEventListener("click", async () => {
  showState("device-result", "running");
  byId("device-text").textContent = "Asking…";
  showFacts("device-facts", {});
  try {
    const info = await request("getDeviceInfo");
    showState("device-result", "done");
    byId("device-text").textContent = "The native side says:";
    showFacts("device-facts", info);
  } catch (error) {
    showState("device-result", "failed");
    byId("device-text").textContent = describe(error);
  }
});
