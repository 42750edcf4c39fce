// Shows the results as they come.
//
// For drivers: #verdict has data-status "waiting" | "running" | "passed" | "failed" | "none"; #count-passed, #count-failed
// and #count-skipped have data-count; each vector is a [data-vector] with data-status; #hidden-count has data-hidden, how
// many the filter hides; #fact-command has data-status "waiting" | "sent" | "failed".

const $ = (id) => document.getElementById(id);

/** @param {string} tag @param {object} [properties] @param {...(Node | string)} children */
function element(tag, properties = {}, ...children) {
  const { data = {}, ...rest } = properties;
  const result = Object.assign(document.createElement(tag), rest);
  Object.assign(result.dataset, data);
  result.append(...children);
  return result;
}

export class View {
  #rules;
  #total = 0;
  #results = new Map();
  #sections = new Map();

  /** @param {Record<string, string>} rules Their texts, in the order of the protocol. */
  constructor(rules) {
    this.#rules = rules;
    $("filter").addEventListener("input", () => this.#filter());
    $("filter").addEventListener("submit", (event) => event.preventDefault());
  }

  /** What has no results: there is nothing to test, or nothing to test it with. */
  static say(status, title, text) {
    $("verdict").dataset.status = status;
    $("verdict-title").textContent = title;
    $("verdict-text").textContent = text;
  }

  static native(text) {
    $("fact-native").textContent = text;
  }

  static command(status, text) {
    $("fact-command").dataset.status = status;
    $("fact-command").textContent = text;
  }

  begin(total) {
    this.#total = total;
    View.say("running", "Testing…", `${total} vectors, one after the other.`);
    $("rules-empty").hidden = true;
  }

  /** A result, or what has become of one that was shown before. */
  show(result) {
    const old = this.#results.get(result.name)?.element;
    const item = vectorItem(result);
    this.#results.set(result.name, { result, element: item });
    if (old) old.replaceWith(item);
    else this.#section(result.rule).querySelector(".vectors").append(item);
    for (const status of ["passed", "failed", "skipped"]) {
      const count = this.#count(status);
      $(`count-${status}`).dataset.count = count;
      $(`count-${status}`).textContent = count;
    }
    $("bar").value = this.#total === 0 ? 0 : this.#results.size / this.#total;
    this.#filter();
  }

  end() {
    const failed = this.#count("failed");
    const run = failed + this.#count("passed");
    if (run === 0) View.say("none", "Nothing could be tested", "Every vector was skipped, each for the reason beside it.");
    else if (failed === 0) View.say("passed", "This bridge keeps every rule that was tested", `${run} vectors passed.${this.#mostSkipped()}`);
    else View.say("failed", `${failed} of ${run} vectors failed`, `Each says below what was expected, and what came.${this.#mostSkipped()}`);
    if (failed > 0) document.querySelector('#filter [value="failed"]').checked = true;
    this.#filter();
    $("bar").hidden = true;
  }

  /** A few that passed are no proof of the rest. */
  #mostSkipped() {
    const skipped = this.#count("skipped");
    return skipped * 2 > this.#results.size ? ` Most, ${skipped}, could not be tested in this mode, each for the reason beside it.` : "";
  }

  #count(status) {
    return [...this.#results.values()].filter(({ result }) => result.status === status).length;
  }

  #section(rule) {
    const existing = this.#sections.get(rule);
    if (existing) return existing;
    const heading = element("h3", { id: `rule-${rule}` }, rule);
    const section = element("section", { className: "rule", data: { rule } }, heading);
    section.setAttribute("aria-labelledby", heading.id);
    section.append(element("p", { textContent: plain(this.#rules[rule] ?? "") }), element("ul", { className: "vectors" }));
    this.#sections.set(rule, section);
    const order = Object.keys(this.#rules);
    const next = [...this.#sections.keys()].filter((other) => order.indexOf(other) > order.indexOf(rule))
      .sort((a, b) => order.indexOf(a) - order.indexOf(b))[0];
    $("rules").insertBefore(section, next === undefined ? null : this.#sections.get(next));
    return section;
  }

  #filter() {
    const text = $("filter-text").value.trim().toLowerCase();
    const status = new FormData($("filter")).get("status");
    let hidden = 0;
    for (const { result, element } of this.#results.values()) {
      const words = `${result.name} ${result.rule} ${this.#rules[result.rule] ?? ""} ${result.reason ?? ""}`.toLowerCase();
      element.hidden = (status !== "" && result.status !== status) || !words.includes(text);
      if (element.hidden) hidden++;
    }
    for (const section of this.#sections.values()) {
      section.hidden = [...section.querySelectorAll("[data-vector]")].every((item) => item.hidden);
    }
    const count = $("hidden-count");
    count.dataset.hidden = hidden;
    count.textContent = `${this.#results.size - hidden} of ${this.#results.size} vectors${hidden > 0 ? `; the filter hides ${hidden}` : ""}`;
  }
}

/** A rule's text is written in Markdown, of which there are only code spans. */
const plain = (text) => text.replaceAll("`", "").replaceAll("\\|", "|");

function vectorItem(result) {
  const name = element("code", { textContent: result.name });
  const about = result.transcript.length > 0 ? record(result, name) : element("div", {}, name);
  if (result.reason) about.append(element("small", { textContent: `Skipped: ${result.reason}.` }));
  return element("li", { data: { vector: result.name, status: result.status } },
    element("span", { className: "mark", textContent: result.status }), about);
}

/** What passed the bridge, behind the vector's name; of a failure it is open. */
function record(result, name) {
  const details = element("details", { className: "record", open: result.status === "failed" }, element("summary", {}, name));
  if (result.difference) details.append(found(result.difference));
  const list = element("ol", { className: "crossings" });
  for (const { direction, text } of result.transcript) {
    const isUp = direction === "to native";
    list.append(element("li", { data: { direction: isUp ? "to-native" : "to-page" } },
      element("span", { className: "way", data: { direction: isUp ? "to-native" : "to-page" }, textContent: isUp ? "⬆ posted" : "⬇ came back" }),
      element("code", { textContent: text })));
  }
  details.append(element("h4", { textContent: "In order" }), list);
  return details;
}

function found({ path, what, step, ...values }) {
  const box = element("div", { className: "found" });
  box.append(element("strong", { textContent: `${step === undefined ? "Afterwards" : `Step ${step}`}: ${what ?? `the first difference is at ${pathText(path)}`}.` }));
  const facts = element("dl", { className: "facts" });
  for (const [name, title] of [["expected", "Expected"], ["got", "Came"]]) {
    if (!("expected" in values || "got" in values)) continue;
    facts.append(element("dt", { textContent: title }), element("dd", { textContent: values[name] ?? "nothing" }));
  }
  if (facts.children.length > 0) box.append(facts);
  return box;
}

const pathText = (path) => path.reduce((text, part) => {
  if (typeof part === "number") return `${text}[${part}]`;
  return text + (/^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`);
}, "$");
