// A page under test: what PROTOCOL.md, section 11, asks of one, with the bundled client.

const { bridgehead: bridge } = window;
const cancelled = -32800;
/** What requests came to whose asker was gone by then. */
let outcomes = [];

bridge.handle("conformance.profiles", () => ["core", "session", "surface"]);
bridge.handle("conformance.page.echo", (payload) => payload);

bridge.handle("conformance.page.request", async ({ event, payload, timeout }, call) => {
  const controller = new AbortController();
  call.signal.addEventListener("abort", () => {
    if (call.signal.reason.code === cancelled) controller.abort(call.signal.reason);
  });
  const outcome = await settle(bridge.request(event, payload, { signal: controller.signal, timeout, onProgress: call.progress }));
  if (call.signal.aborted) outcomes.push(outcome);
  return outcome;
});

bridge.handle("conformance.page.outcomes", () => {
  const told = outcomes;
  outcomes = [];
  return told;
});

bridge.handle("conformance.page.handle", ({ event, response, error, throws }) => {
  bridge.handle(event, () => {
    if (error) throw new bridge.BridgeError(error.code, error.message, { data: error.data });
    if (throws !== undefined) throw new Error(throws);
    return response;
  });
  return null;
});

function settle(promise) {
  return promise.then((response) => ({ response }), ({ code, message, data }) => ({ error: { code, message, data } }));
}
