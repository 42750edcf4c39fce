// Runs the suite on the native side of the app that shows this page, and sends the result to the command that served it.

import { readEnvelope } from "./envelope.mjs";
import { findNative } from "./native.mjs";
import { ask, runAll } from "./run.mjs";
import { parseSuite } from "./skip.mjs";
import { View } from "./view.mjs";

// Tells this showing of the page from others, wherever it is shown.
const visit = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

const nothingFound = `Neither window.webkit.messageHandlers.NAME nor window.NAME has a postMessage here.
 Open this page in the app's own WebView, where its bridge is.`;

async function main() {
  const suite = parseSuite(await (await fetch("suite.json")).text());
  const envelope = readEnvelope(suite.envelope, new URLSearchParams(location.search));
  const native = findNative(window, envelope);
  if (native === undefined) {
    const help = nothingFound.replaceAll("NAME", envelope.handler).replace(/\s+/g, " ");
    View.say("none", "There is no bridge in this page", help);
    return send({ noBridge: help });
  }
  View.native(native.name);
  View.say("running", "Asking the app…", "Which mode its handler is in, and what it claims to speak.");
  await send({ begins: true, visit });
  if ((await ask(native, { eventName: "conformance.echo" }, suite.timeout)) === undefined) {
    const help = `The app did not answer conformance.echo within ${suite.timeout} ms. Does it register the events of the conformance service, and answer as the envelope says?`;
    View.say("none", "The app does not answer", help);
    return send({ error: help });
  }
  const profiles = await ask(native, { eventName: "conformance.profiles" }, suite.timeout);
  const modes = { reply: "answers settle the promise", plain: `answers come through ${envelope.reply}`, messages: "answers come as messages" };
  View.native(`${native.name}: ${modes[native.mode] ?? "nothing was answered yet"}`);
  const view = new View(suite.rules);
  const vectors = suite.files.flatMap(({ profile, vectors }) => vectors.map((vector) => ({ profile, vector })));
  const claimed = Array.isArray(profiles?.response) ? profiles.response : undefined;
  const isClaimed = ({ profile }) => claimed === undefined || claimed.includes(profile);
  view.begin(vectors.length);
  const reason = "the app does not claim this profile";
  const unclaimed = vectors.filter((entry) => !isClaimed(entry))
    .map(({ profile, vector: { name, rule } }) => ({ name, rule, profile, status: "skipped", reason, transcript: [] }));
  let told = performance.now();
  const untold = [];
  const report = (result) => {
    view.show(result);
    untold.push(result);
    if (performance.now() - told < suite.timeout / 4) return;
    told = performance.now();
    send({ begins: true, visit, results: untold.splice(0) }); // it goes on
  };
  const results = await runAll(vectors.filter(isClaimed), native, { timeout: suite.timeout, report });
  for (const result of unclaimed) view.show(result);
  view.end();
  await send({ native: { surface: native.kind, name: native.name, mode: native.mode ?? null }, results: [...results, ...unclaimed] });
}

/** The command may have been stopped; the results stay on the page. */
async function send(report) {
  try {
    const body = JSON.stringify({ userAgent: navigator.userAgent, ...report });
    const { ok, status } = await fetch("result", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (!ok) throw new Error(`it answered ${status}`);
    if (!report.begins) View.command("sent", "has the result");
  } catch (error) {
    View.command("failed", `did not take the result: ${error.message}`);
  }
}

main().catch((error) => {
  View.say("none", "The test could not begin", error.message);
  return send({ error: error.message });
});
