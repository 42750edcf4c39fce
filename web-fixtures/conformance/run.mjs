import { difference, fill, isNearer, nearness } from "./match.mjs";
import { reasonToSkip } from "./skip.mjs";

/**
 * Runs vectors on a native side, one after the other.
 * @param {Iterable<{vector: object, profile: string}>} vectors
 * @param {object} native
 * @param {{timeout: number, report: (result: object) => void}} options `timeout` is in milliseconds, for each wait.
 * @returns {Promise<object[]>} The results, in order.
 */
export async function runAll(vectors, native, { timeout, report }) {
  const line = new Line(native);
  const results = [];
  for (const { vector, profile } of vectors) {
    const reason = reasonToSkip(vector, native);
    const result = { name: vector.name, rule: vector.rule, profile, status: "skipped", reason, transcript: [] };
    if (reason === undefined) {
      line.begin(result);
      if (JSON.stringify(vector.steps).includes(`"${counter}"`)) await line.countFromHere(timeout);
      Object.assign(result, await run(vector, line, timeout));
    }
    results.push(result);
    report(result);
  }
  // Whatever comes late has come by the answer to one more question.
  line.begin({ transcript: [] });
  await quiet(line, timeout).catch(() => {});
  for (const result of line.spoiled) report(result);
  return results;
}

/** Asks once, so that the mode of the handler is known: whether a promise brings the answer or the reply function. */
export async function ask(native, message, timeout) {
  const line = new Line(native);
  line.begin({ transcript: [] });
  const id = line.post({ requestId: "{{question}}", ...message }, new Map());
  for (;;) {
    const arrival = await line.next(timeout);
    if (arrival === undefined || sameId(arrival.message.requestId, id)) return arrival?.message;
  }
}

/** What an app answers with need not be JSON. */
function json(value) {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

const key = (id) => JSON.stringify(id);
const sameId = (a, b) => key(a) === key(b);

const counter = "conformance.counter";

/** What goes out and comes in for the vector that runs. */
class Line {
  /** Results that were answered again after they were complete. */
  spoiled = new Set();
  #native;
  #result;
  /** Whose request each id was. */
  #owners = new Map();
  #arrivals = [];
  #wake;
  #postsWithoutID = false;
  /** What the counter said before the vector, and the ids of those that ask it. */
  #counted = 0;
  #counts = new Set();

  constructor(native) {
    this.#native = native;
    native.onarrival = (message, { isPartial = false } = {}) => this.#arrived(message, isPartial);
  }

  begin(result) {
    this.#result = result;
    this.#arrivals = [];
    this.#counted = 0;
    this.#counts.clear();
    this.#postsWithoutID = false;
  }

  /** A vector has a session of its own, in which counting begins; here all vectors have one. */
  async countFromHere(timeout) {
    const id = this.post({ eventName: counter, requestId: "{{before}}" }, new Map());
    const arrival = await this.next(timeout);
    const count = arrival?.message.response?.count;
    if (sameId(arrival?.message.requestId, id) && Number.isInteger(count)) this.#counted = count;
  }

  #arrived(message, isPartial) {
    // What was posted without an id may be answered without one: the page's side makes a request of it.
    if ((message.requestId ?? undefined) === undefined && this.#postsWithoutID) return;
    const owner = this.#owners.get(key(message.requestId)) ?? this.#result;
    owner.transcript.push({ direction: "from native", text: json(message) });
    if (owner !== this.#result) {
      if (owner.status !== "passed") return;
      owner.status = "failed";
      owner.difference = { path: [], what: "answered once more, when the vector was over" };
      this.spoiled.add(owner);
      return;
    }
    if (this.#counts.has(key(message.requestId)) && Number.isInteger(message.response?.count)) {
      message = { ...message, response: { ...message.response, count: message.response.count - this.#counted } };
    }
    this.#arrivals.push({ message, isPartial });
    this.#wake?.();
  }

  /** @returns the request's id. */
  post(message, bindings) {
    const filled = fill(message, bindings);
    if (filled.requestId === undefined) this.#postsWithoutID = true;
    else this.#owners.set(key(filled.requestId), this.#result);
    if (filled.eventName === counter || filled.body?.eventName === counter) this.#counts.add(key(filled.requestId));
    const entry = { direction: "to native", text: json(filled) };
    this.#result.transcript.push(entry); // before what comes back, which may be at once
    entry.text = json(this.#native.post(filled));
    return filled.requestId;
  }

  /** The next that has come or comes; undefined when nothing does in time. */
  async next(timeout) {
    if (this.#arrivals.length === 0) {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, timeout);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    return this.#arrivals.shift();
  }
}

class Fault extends Error {
  constructor(difference) {
    super();
    this.difference = difference;
  }
}

async function run(vector, line, timeout) {
  const start = performance.now();
  const bindings = new Map();
  const took = () => Math.round(performance.now() - start);
  let step; // from 1; none is after the last
  try {
    for (const [index, next] of vector.steps.entries()) {
      step = index + 1;
      await takeAll([next], vector, line, bindings, timeout);
    }
    step = undefined;
    if (vector.mustFail) await refusal(line, timeout);
    await quiet(line, timeout);
    return { status: "passed", milliseconds: took() };
  } catch (error) {
    if (error instanceof Refused) return { status: "passed", milliseconds: took() };
    const found = error instanceof Fault ? error.difference : { path: [], what: `posting failed: ${error}` };
    return { status: "failed", difference: asTexts(found, step), milliseconds: took() };
  }
}

/** What is expected or has come and is undefined is missing: it has no text either. */
function asTexts(found, step) {
  const texts = { path: found.path, what: found.what, step };
  for (const name of ["expected", "got"]) {
    if (found[name] !== undefined) texts[name] = json(found[name]);
  }
  return texts;
}

/** The vector may be refused, and was. */
class Refused extends Error {}

async function takeAll(steps, vector, line, bindings, timeout) {
  for (const step of steps) {
    if (!("repeat" in step)) {
      await take(step, vector, line, bindings, timeout);
      continue;
    }
    const before = [...bindings.keys()];
    for (let round = 0; round < step.times; round++) {
      await takeAll(step.repeat, vector, line, bindings, timeout);
      // Each round has values of its own.
      for (const name of bindings.keys()) if (!before.includes(name)) bindings.delete(name);
    }
  }
}

async function take(step, vector, line, bindings, timeout) {
  if ("send" in step) line.post(step.send, bindings);
  else if ("expect" in step) await expectAny([step.expect], vector, line, bindings, timeout);
  else if ("any-order" in step) await expectAny(step["any-order"].map(({ expect }) => expect), vector, line, bindings, timeout);
  else if (step.quiet) await quiet(line, timeout);
  else if ("wait" in step) await new Promise((resolve) => setTimeout(resolve, step.wait));
  else throw new Error(`a step that is not known: ${JSON.stringify(step)}`);
}

/** Takes as many messages as are expected, in whatever order. */
async function expectAny(expected, vector, line, bindings, timeout) {
  const rest = [...expected];
  while (rest.length > 0) {
    const arrival = await line.next(timeout);
    if (arrival === undefined) throw new Fault({ path: [], what: `nothing came within ${timeout} ms`, expected: rest[0] });
    if (vector.canFail && Object.hasOwn(arrival.message, "error")) throw new Refused();
    let nearest;
    const index = rest.findIndex((candidate) => {
      const trial = new Map(bindings);
      const found = difference(visible(candidate, arrival), arrival.message, trial);
      if (found) {
        const fit = nearness(candidate, arrival.message, found, bindings);
        if (nearest === undefined || isNearer(fit, nearest.fit)) nearest = { fit, found };
        return false;
      }
      for (const [name, value] of trial) bindings.set(name, value);
      return true;
    });
    if (index < 0) {
      const what = expected.length === 1 ? undefined : "what came is none of what was expected";
      throw new Fault({ ...nearest.found, what });
    }
    rest.splice(index, 1);
  }
}

/** Of a failure that reached the page as an Error only what that carries is compared. */
function visible(expected, { message, isPartial }) {
  if (!isPartial || !Object.hasOwn(Object(expected), "error") || typeof expected.error !== "object") return expected;
  const error = { ...expected.error };
  for (const name of ["code", "data"]) if (!Object.hasOwn(message.error, name)) delete error[name];
  return { ...expected, error };
}

async function refusal(line, timeout) {
  const arrival = await line.next(timeout);
  if (arrival === undefined) throw new Fault({ path: [], what: `it was not refused within ${timeout} ms` });
  if (!Object.hasOwn(arrival.message, "error")) throw new Fault({ path: [], what: "it was not refused" });
}

/** Nothing comes before the answer to an echo. */
async function quiet(line, timeout) {
  const id = line.post({ eventName: "conformance.echo", requestId: "{{quiet}}" }, new Map());
  const arrival = await line.next(timeout);
  if (arrival === undefined) throw new Fault({ path: [], what: `an echo was not answered within ${timeout} ms` });
  const expected = { requestId: id, response: {} };
  const found = difference(expected, arrival.message, new Map());
  if (found) throw new Fault({ ...found, what: "something came that nothing had asked for, before an echo's answer" });
}
