// Shows the state of a page's connection, live.
//
// For drivers: #status has data-status "connecting" | "connected" | "disconnected".

const words = {
  connecting: ["Connecting to the server…", "Requests made meanwhile wait and are sent when it is there."],
  connected: ["Connected", ""],
  disconnected: ["Not connected", "Run “bridgehead serve” in a terminal; this page connects again by itself."],
};

/** Keeps #status in step with `bridge`, and calls `onChange(status)` now and at every change. */
export function showConnection(bridge, onChange = () => {}) {
  const show = () => {
    const status = bridge.status in words ? bridge.status : "disconnected";
    const [text, hint] = words[status];
    document.getElementById("status").dataset.status = status;
    document.getElementById("status-text").textContent = status === "connected" ? `${text} to ${location.host}.` : text;
    document.getElementById("status-hint").textContent = hint;
    document.getElementById("status-hint").hidden = hint === "";
    onChange(status);
  };
  bridge.addEventListener("statuschange", show);
  show();
}
