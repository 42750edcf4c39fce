// One document with routes: each link inside it is an entry made with pushState, and what it shows is built anew, the
// footer's marker too.
//
// For drivers: #route has data-route; a[href^="?route="] are the routes' links; #replace replaces the entry.

const bridges = {
  rope: ["A rope bridge", "Four ropes: two for the hands, two for the feet. It is mended by whoever crosses it."],
  arch: ["An arch", "Every stone wants to fall, and no stone can. It has stood since before there was mortar."],
  suspension: ["A suspension bridge", "What is heavy hangs from what is thin, and all of it from the rock behind the towers."],
};
const outlet = document.getElementById("route");

const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};
const link = (route, text) => make("a", { href: `?route=${route}`, textContent: text });

function view(route) {
  const [, name] = /^bridges\/(\w+)$/.exec(route) ?? [];
  if (Object.hasOwn(bridges, name ?? "")) {
    const [title, text] = bridges[name];
    return [title, make("p", { textContent: text }), make("p", {}, link("bridges", "All bridges")), make("div", { id: "app-footer-placeholder" })];
  }
  if (route === "about") return ["About", make("p", { textContent: "This app has no pages, only routes. Reload any of them: it is there again." })];
  const items = Object.entries(bridges).map(([key, [title]]) => make("li", {}, link(`bridges/${key}`, title)));
  return ["Bridges", make("ul", {}, ...items)];
}

function show({ focus }) {
  const route = new URLSearchParams(location.search).get("route") ?? "bridges";
  if (outlet.dataset.route === route) return;
  const [title, ...content] = view(route);
  const heading = make("h1", { textContent: title, tabIndex: -1 });
  outlet.dataset.route = route;
  outlet.replaceChildren(heading, ...content);
  document.title = `${title} – App`;
  for (const item of document.querySelectorAll(".routes a")) {
    if (item.search === `?route=${route.split("/")[0]}` && item.hash === "") item.setAttribute("aria-current", "page");
    else item.removeAttribute("aria-current");
  }
  if (focus) heading.focus();
}

document.addEventListener("click", (event) => {
  const anchor = event.target.closest?.("a");
  if (!anchor?.getAttribute("href").startsWith("?route=") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (anchor.href !== location.href) history.pushState(null, "", anchor.href);
  show({ focus: true });
});
addEventListener("popstate", () => show({ focus: false }));

let replaced = 0;
document.getElementById("replace").addEventListener("click", () => {
  replaced += 1;
  history.replaceState(null, "", `${location.pathname}${location.search}#replaced-${replaced}`);
  document.getElementById("said").textContent = `The address has changed, the list of entries has not (${replaced}).`;
});
show({ focus: false });
