// Tells the native side how high its footer is to be, and shows what it tells about the footer.
//
// For drivers: #height (range), #height-value, #said with data-state "idle" | "asked" | "done" | "failed" and data-count, the
// likes that Swift has told.

const height = document.getElementById("height");
const said = document.getElementById("said");

function say(state, text) {
  said.dataset.state = state;
  said.textContent = text;
}

height.addEventListener("input", async () => {
  document.getElementById("height-value").textContent = height.value;
  const footer = window.webkit?.messageHandlers?.footer;
  if (!footer) {
    say("failed", "No native side has a footer here. Open this page in the phone.");
    return;
  }
  say("asked", "Asked for another height…");
  try {
    await footer.postMessage({ height: Number(height.value) });
    say("done", `The footer is ${height.value} px high.`);
  } catch (error) {
    say("failed", error.message);
  }
});

window.bridgehead?.handle("footer.liked", ({ count }) => {
  said.dataset.count = count;
  say("done", count === 1 ? "Swift has counted one like." : `Swift has counted ${count} likes.`);
});
