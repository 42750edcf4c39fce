// Shows the state of a page's connection, live.
//
// For drivers: #status has data-status "connecting" | "connected" | "disconnected"; data-session is the session's label.

const states = {
  connecting: ["connecting", "Connecting to the server…", "Requests made meanwhile wait, and are sent when it answers."],
  open: ["connected", `Connected to ${location.host}.`, ""],
  native: ["connected", "Connected: this page runs in an app, whose native side answers.", ""],
  closed: ["disconnected", "Not connected.", "Run “bridgehead serve” in a terminal; this page connects again by itself."],
  off: ["disconnected", "Switched off.", "Take “bridgehead=off” out of the address and load the page again."],
};

/** Keeps #status in step with `bridge`, and calls `onChange("connecting" | "connected" | "disconnected")` now and at every change. */
export function showConnection(bridge, onChange = () => {}) {
  const element = document.getElementById("status");
  const show = async () => {
    // Every further attempt to connect is "connecting" too: what to do stays on the page until one succeeds.
    if (bridge.status === "connecting" && element.dataset.status === "disconnected") return;
    const [status, text, hint] = states[bridge.status];
    element.dataset.status = status;
    document.getElementById("status-text").textContent = text;
    document.getElementById("status-hint").textContent = hint;
    document.getElementById("status-hint").hidden = hint === "";
    onChange(status);
    if (bridge.status === "open") {
      const { session } = await bridge.ready;
      if (session === null) return; // a server that does not greet
      element.dataset.session = session;
      document.getElementById("status-text").textContent = `Connected to ${location.host}, session ${session}.`;
    } else {
      delete element.dataset.session;
    }
  };
  bridge.addEventListener("statuschange", show);
  show();
}
