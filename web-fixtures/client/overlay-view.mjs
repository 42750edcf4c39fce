const words = (text) => new Set(text.split(/\s+/));

/** What a native view may be made of. Nothing here runs, loads or styles anything but by the rules below. */
const elements = words(`a abbr address article aside b blockquote br button caption cite code col colgroup dd del details div dl dt
  em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr i img input ins kbd label legend li main mark meter nav
  ol optgroup option output p pre progress q s samp section select small span strong sub summary sup table tbody td textarea
  tfoot th thead time tr u ul var wbr`);
const attributes = words(`abbr alt autocapitalize autocomplete checked class cols colspan datetime dir disabled enterkeyhint event for
  headers height hidden high href id inputmode label lang low max maxlength min minlength multiple name open optimum pattern
  placeholder readonly rel required reversed role rows rowspan scope selected size span spellcheck src start step tabindex title
  type value width`);
const inputTypes = words(`button checkbox color date datetime-local email month number password radio range reset search submit tel
  text time url week`);

/**
 * @typedef {string | {name: string, attributes?: [string, string][], children?: ViewNode[]}} ViewNode
 */

/**
 * Makes the elements of a native view.
 * @param {ReturnType<import("./overlay-dom.mjs").dom>} dom
 * @param {ViewNode[]} nodes
 * @returns {{nodes: Node[], events: Map<Element, string>}} `events`: what each element with the attribute `event` tells.
 * @throws {TypeError} It names what is refused.
 */
export function buildView(dom, nodes) {
  const events = new Map();
  const build = (node) => {
    if (typeof node === "string") return dom.text(node);
    const { name, attributes: list = [], children = [] } = Object(node);
    if (!elements.has(name)) throw new TypeError(`A native view may not have the element <${name}>`);
    const element = dom.create(name);
    for (const [attribute, value] of list) {
      checkAttribute(name, attribute, value);
      if (attribute === "event") events.set(element, value);
      else element.setAttribute(attribute, value);
    }
    element.append(...children.map(build));
    return element;
  };
  return { nodes: nodes.map(build), events };
}

function checkAttribute(element, name, value) {
  const refuse = (what) => {
    throw new TypeError(`A native view may not have ${what} in <${element}>`);
  };
  if (typeof value !== "string" || !(attributes.has(name) || /^(aria|data)-[a-z0-9-]+$/.test(name))) refuse(`the attribute ${name}`);
  if ((name === "href" && element !== "a") || (name === "src" && element !== "img")) refuse(`the attribute ${name}`);
  if ((name === "href" || name === "src") && !isWebURL(value)) refuse(`${name}=${JSON.stringify(value)}, which is no http or https URL,`);
  if (element === "input" && name === "type" && !inputTypes.has(value.toLowerCase())) refuse(`type=${JSON.stringify(value)}`);
}

/** As the browser would read it: it skips blanks around a URL, and tabs and newlines in it. */
function isWebURL(text) {
  try {
    return ["http:", "https:"].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}

/**
 * @param {string} style
 * @returns {string} The same.
 * @throws {TypeError} If it would load something that does not come over http or https.
 */
export function checkStyle(style) {
  const plain = style
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/\\([0-9a-f]{1,6})\s?|\\([^0-9a-f\n])/gi, (_, code, character) => character ?? String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)));
  if (/@import/i.test(plain)) throw new TypeError("The style of a native view may not have @import");
  for (const [, url] of plain.matchAll(/(?:url|src|image-set)\(\s*["']?([^"')]*)/gi)) {
    if (!isWebURL(url)) throw new TypeError(`The style of a native view may not have url(${url}), which is no http or https URL`);
  }
  return style;
}

/**
 * Tells what a person does with the elements that have an event.
 * @param {Node} root The shadow root that holds the view.
 * @param {() => Map<Element, string>} events
 * @param {(name: string, value: string | null) => void} tell
 */
export function listen(root, events, tell) {
  const last = new WeakMap();
  const find = (event) => {
    for (let at = event.target; at && at !== root; at = at.parentNode) if (events().has(at)) return at;
    return undefined;
  };
  const isInput = (element) => /^(input|select|textarea)$/.test(element.localName) && !/^(button|submit|reset)$/.test(element.type);
  root.addEventListener("click", (event) => {
    const element = find(event);
    if (element && !isInput(element) && element.localName !== "form") tell(events().get(element), null);
  });
  for (const type of ["input", "change"]) {
    root.addEventListener(type, (event) => {
      const element = find(event);
      if (!element || !isInput(element)) return;
      const value = element.type === "checkbox" ? String(element.checked) : element.value;
      // "change" repeats what "input" has told.
      if (type === "change" && last.get(element) === value) return;
      last.set(element, value);
      tell(events().get(element), value);
    });
  }
  root.addEventListener("submit", (event) => {
    event.preventDefault(); // a native view never takes the page elsewhere by itself
    const element = find(event);
    if (element) tell(events().get(element), null);
  });
}
