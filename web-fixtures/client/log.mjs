/**
 * Every message on the console, as it passes: asked for with `data-log`.
 * @returns {Function} A part of the bridge.
 */
export function log() {
  return (core) => core.tap((direction, text) => console.log(...describeMessage(direction, parse(text)), text));
}

/** What is no message is shown too; the bridge says what is wrong with it. */
function parse(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

const styles = {
  up: ["⬆", "color: #15803d"],
  down: ["⬇", "color: #dc2626"],
  failure: ["×", "color: #dc2626; font-weight: bold"],
};

/** An arrow that tells the direction by its shape, in colour, and what the message is. */
function describeMessage(direction, message) {
  const { eventName, method, requestId, id, error } = message;
  const [arrow, style] = error ? styles.failure : styles[direction];
  const label =
    Array.isArray(message) ? `batch of ${message.length}`
    : eventName ?? method ?? (error ? `failed: ${error.message}` : "progress" in message ? "progress" : "answer");
  const key = requestId ?? id;
  return [`%c${arrow}%c ${direction === "up" ? "page → native" : "native → page"}  ${label}${key === undefined ? "" : ` #${key}`}`, style, ""];
}
