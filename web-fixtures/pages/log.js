// Shows what crosses the bridge, in the page's own list. Used by all three demo pages.
//
// For drivers: #messages holds one <li> a message, newest last, with data-direction "to-native" or "to-page";
// #messages-count has data-count (messages so far) and says when older ones are no longer shown.
// Messages that come together are shown together, a moment later: wait for data-count.

const shownMessages = 60;
let messageCount = 0;
let newMessages = [];

/** Adds one message to #messages. `direction` is "to-native" or "to-page"; `value` is shown as text. */
function logMessage(direction, value) {
  if (newMessages.length === 0) setTimeout(showNewMessages, 16);
  newMessages.push({ direction, text: typeof value === "string" ? value : JSON.stringify(value) });
}

function showNewMessages() {
  const list = document.getElementById("messages");
  const following = list.scrollHeight - list.scrollTop - list.clientHeight < 8;
  list.append(...newMessages.slice(-shownMessages).map(messageItem));
  while (list.children.length > shownMessages) list.firstElementChild.remove();
  list.hidden = false;
  document.getElementById("messages-empty").hidden = true;
  if (following) list.scrollTop = list.scrollHeight;

  messageCount += newMessages.length;
  newMessages = [];
  const count = document.getElementById("messages-count");
  count.dataset.count = messageCount;
  count.textContent = messageCount > shownMessages ? `the last ${shownMessages} of ${messageCount}` : `${messageCount} so far`;
}

function messageItem({ direction, text }) {
  const way = document.createElement("span");
  way.className = "way";
  way.dataset.direction = direction;
  way.textContent = direction === "to-native" ? "⬆\uFE0E page → native" : "⬇\uFE0E native → page";
  const code = document.createElement("code");
  code.textContent = text;
  const item = document.createElement("li");
  item.dataset.direction = direction;
  item.append(way, code);
  return item;
}
