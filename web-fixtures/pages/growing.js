// Text that comes late, and a marker that comes after it, moves and goes.
//
// For drivers: #add, #remove, #move and #marker; #said has data-texts (how many) and data-marker "none" | "first" | "second".

const said = document.getElementById("said");
const late = document.getElementById("late");
const marker = Object.assign(document.createElement("div"), { id: "app-footer-placeholder" });
const sentences = [
  "This paragraph was not there when the page had loaded.",
  "Each further one pushes what is below it down, the footer too.",
  "An image, a font or an answer that arrives late does just the same.",
];

function say() {
  const place = marker.parentElement?.id ?? "none";
  Object.assign(said.dataset, { texts: late.children.length, marker: place });
  const where = { none: "there is no marker", first: "the marker is in the first place", second: "the marker is in the second place" };
  said.textContent = `Paragraphs: ${late.children.length}; ${where[place]}.`;
  document.getElementById("marker").textContent = marker.isConnected ? "Take the marker away" : "Bring the marker back";
  document.getElementById("move").disabled = !marker.isConnected;
  document.getElementById("remove").disabled = late.children.length === 0;
}

function add() {
  const text = sentences[late.children.length % sentences.length];
  late.append(Object.assign(document.createElement("p"), { textContent: text }));
  say();
}

function act(id, action) {
  document.getElementById(id).addEventListener("click", () => {
    action();
    say();
  });
}
act("add", add);
act("remove", () => late.lastElementChild?.remove());
act("move", () => document.getElementById(marker.parentElement.id === "first" ? "second" : "first").append(marker));
act("marker", () => marker.isConnected ? marker.remove() : document.getElementById("first").append(marker));

setTimeout(add, 600);
setTimeout(() => {
  document.getElementById("first").append(marker);
  say();
}, 1500);
