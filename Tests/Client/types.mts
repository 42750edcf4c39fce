// Compiled, never run: what the declarations let a page write, and what they do not.
import { Bridge, BridgeError, bridge, codes, type WebMessageListener, type Welcome } from "../../web-fixtures/client/client.mjs";

interface Progress { received: number; total: number }

export async function uses(bar: HTMLProgressElement, signal: AbortSignal): Promise<void> {
  const title: string = await bridge.request("getRandomTitle");
  const file = await bridge.request<{ path: string }, Progress>("download", { url: "https://example.test/a" }, {
    signal, timeout: 1000, onProgress: ({ received, total }) => { bar.value = received / total; },
  });
  file.path.toUpperCase();
  bridge.notify("seen", [title]);
  const stop: () => void = bridge.handle("rename", ({ title }: { title: string }, call) => {
    call.signal.addEventListener("abort", () => {});
    call.progress(0.5);
    return title.length;
  });
  stop();
  const welcome: Welcome = await bridge.ready;
  welcome.events.includes("download");
  bridge.addEventListener("statuschange", () => bridge.status === "open");
  window.bridgehead.close();
  const answer: number = await window.webkit!.messageHandlers.bridge.postMessage({ eventName: "n" });
  answer.toFixed();
  window.handleNativeResponse = (response, requestId) => { response.x; requestId === 1; };
  bridge.handle("count", (_, { progress, signal }) => { if (!signal.aborted) progress(1); });
  const android = window as unknown as { bridge: WebMessageListener };
  android.bridge.onmessage = ({ data }) => data.length;
  android.bridge.postMessage(JSON.stringify({ eventName: "n" }));
  new Bridge({ url: "http://localhost:7357", WebSocket, retryDelay: attempt => attempt * 10 });
  const error = new BridgeError(codes.timedOut, "late", { data: { user: 1 } });
  error.data.user.toFixed();
  bridge.handle("pay", () => { throw new window.bridgehead.BridgeError(4001, "Not signed in"); });
  bridge.request("a", {}, null);
  bridge.request("a", {}, { signal: null, timeout: null, onProgress: null });
  if (error.reason === "timedOut" && error.code === -32001) error.eventName?.length;
}

export function doesNot(): void {
  // @ts-expect-error A payload is an object or an array.
  bridge.request("getRandomTitle", "text");
  // @ts-expect-error The name is a string.
  bridge.request(1);
  // @ts-expect-error A timeout is a number of milliseconds.
  bridge.request("a", {}, { timeout: "1s" });
  // @ts-expect-error A signal is not its controller.
  bridge.request("a", {}, { signal: new AbortController() });
  // @ts-expect-error There is no such option.
  bridge.request("a", {}, { retries: 3 });
  // @ts-expect-error A handler is a function.
  bridge.handle("a", 1);
  // @ts-expect-error The status is one of five words.
  bridge.status === "connected";
  // @ts-expect-error What the bridge knows is read only.
  bridge.pendingCount = 0;
  // @ts-expect-error The codes are fixed.
  codes.timedOut = 1;
  // @ts-expect-error Android's object takes strings only.
  ({} as WebMessageListener).postMessage({});
  // @ts-expect-error There may be no handler of that name.
  window.webkit!.messageHandlers.analytics.postMessage(1);
  // @ts-expect-error What a handler reports on is its call.
  bridge.handle("a", (_, call) => call.done());
  // @ts-expect-error An error has a code.
  new BridgeError("message");
}
