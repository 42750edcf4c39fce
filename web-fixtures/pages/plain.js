// The plain convention: post {eventName}, hear every answer in window.handleNativeResponse.
//
// For drivers: click #get-title. #result has data-state "empty" | "waiting" | "answered" | "failed" (no native side here),
// data-count (answers so far) and, once answered, the title as its text. #messages and #messages-count: see log.js.
// #pattern is the code below as it is shown on the page.

const result = document.getElementById("result");
let patience;

window.handleNativeResponse = (response) => {
  showAnswer(response);
};

function askForTitle() {
  window.webkit.messageHandlers.bridge
    .postMessage({ eventName: "getRandomTitle" });
}

function showAnswer(response) {
  clearTimeout(patience);
  logMessage("to-page", response);
  result.dataset.state = "answered";
  result.dataset.count = Number(result.dataset.count) + 1;
  result.textContent = response;
}

document.getElementById("get-title").addEventListener("click", () => {
  if (!window.webkit?.messageHandlers?.bridge) {
    result.dataset.state = "failed";
    result.textContent = "There is no native side here. Open this page in the app, or start the server and reload.";
    return;
  }
  askForTitle();
  logMessage("to-native", { eventName: "getRandomTitle" });
  result.dataset.state = "waiting";
  result.textContent = "Waiting for the answer…";
  clearTimeout(patience);
  patience = setTimeout(() => {
    result.textContent = "No answer yet. If the native side is down, start it again; if it failed, the console says why.";
  }, 4000);
});
