/**
 * The types of Bridgehead's client: of `client.mjs` as a module, and of what `client.js` puts on `window`.
 *
 * TypeScript does not look at addresses: put a copy of this file into your project, and for an import say where it is, in
 * tsconfig.json: `"paths": { "http://localhost:7357/_bridge/client.mjs": ["./client.d.ts"] }`.
 */

/** The protocol's failure codes by name. */
export declare const codes: Readonly<{
  parseError: -32700;
  invalidRequest: -32600;
  methodNotFound: -32601;
  invalidParams: -32602;
  internalError: -32603;
  handlerFailed: -32000;
  timedOut: -32001;
  noReply: -32003;
  connectionClosed: -32004;
  pageNavigatedAway: -32005;
  pageNotConnected: -32006;
  tooManyRequests: -32008;
  scriptException: -32010;
  unsupportedResult: -32011;
  cancelled: -32800;
}>;

/** What a request may carry: an object or an array. */
export type Payload = object;

/**
 * The one error of the bridge, whichever side it comes from. A handler throws it to fail with a code of its own; in a page
 * of the classic script it is `bridgehead.BridgeError`.
 */
export declare class BridgeError<Data = any> extends Error {
  constructor(
    code: number,
    message: string,
    details?: { data?: Data; eventName?: string; requestId?: string | number; cause?: unknown },
  );
  readonly name: "BridgeError";
  /** What kind of failure it is: one of {@link codes}, or an application's own. */
  readonly code: number;
  /** The code's name in {@link codes}, or "application". */
  readonly reason: keyof typeof codes | "application";
  /** What the failing side added. */
  readonly data: Data;
  readonly eventName: string | undefined;
  readonly requestId: string | number | undefined;
  /** Its members and the message. */
  toJSON(): object;
}

export interface RequestOptions<Progress = any> {
  /** Cancels the request; its promise rejects with the signal's reason. */
  signal?: AbortSignal | null;
  /** Milliseconds until the request fails with −32001 and is cancelled. */
  timeout?: number | null;
  /** Called with each report of progress. */
  onProgress?: ((value: Progress) => void) | null;
}

/** A call of the native side, as a handler sees it. */
export interface Call {
  /** Aborted when the native side no longer waits, or is gone. */
  readonly signal: AbortSignal;
  /** Reports progress to the native side; a function of its own, so `(payload, { progress }) => …` works. */
  readonly progress: (value: unknown) => void;
}

/** The answer to the greeting. */
export interface Welcome {
  protocol: number;
  server: { name: string; version: string } | null;
  /** A label for logs. */
  session: string | null;
  /** The events that have a handler. */
  events: string[];
  messageHandlers: Record<string, "reply" | "plain">;
  limits: Record<string, number>;
}

export type Status = "connecting" | "open" | "closed" | "native" | "off";

export interface BridgeOptions {
  /** Where the server is. */
  url?: string | URL;
  /** Asked for by a server that is bound beyond loopback. */
  token?: string;
  /** The socket class, where there is no global one. */
  WebSocket?: new (url: string, protocols: string[]) => any;
  /** Milliseconds to wait before attempt number `attempt`, counted from 0. */
  retryDelay?: (attempt: number) => number;
  /** Why there is to be no connection at all. */
  off?: string;
}

export interface BridgeEventMap {
  statuschange: Event;
  eventschange: Event;
}

/** The page's end of the bridge. */
export declare class Bridge extends EventTarget {
  constructor(options: BridgeOptions);
  readonly status: Status;
  /** Resolves when a session is open; rejects only when there will be none. */
  readonly ready: Promise<Welcome>;
  /** The events that the native side handles, as it last told. */
  readonly events: string[];
  /** How many requests wait for their answers. */
  readonly pendingCount: number;
  /** Asks the native side. Rejects with a {@link BridgeError}, the signal's reason, or a TypeError for a wrong option. */
  request<Response = any, Progress = any>(
    name: string, payload?: Payload, options?: RequestOptions<Progress> | null,
  ): Promise<Response>;
  /** Tells the native side; nothing comes back. */
  notify(name: string, payload?: Payload): void;
  /**
   * Answers an event of the native side; returns what stops it. A handler that throws a {@link BridgeError} fails with its
   * code and data, one that throws anything else with −32000. Names that begin with `$/` are the protocol's own.
   */
  handle<P = any, R = unknown>(name: string, handler: (payload: P, call: Call) => R | Promise<R>): () => void;
  /** The class itself, where nothing is imported: `throw new bridgehead.BridgeError(4001, "Not signed in")`. */
  readonly BridgeError: typeof BridgeError;
  /** Closes for good: what is pending fails with −32004, and so does every later request. */
  close(): void;
  addEventListener<K extends keyof BridgeEventMap>(
    type: K, listener: (event: BridgeEventMap[K]) => void, options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions,
  ): void;
}

/** The page's bridge; the same as `window.bridgehead`. */
export declare const bridge: Bridge;

/** One of `window.webkit.messageHandlers`. */
export interface UserMessageHandler {
  /** Always a promise: of the answer in reply mode, of undefined in plain mode. */
  postMessage(body: unknown): Promise<any>;
}

/** What `data-platform="android"` puts at `window.bridge`: `const bridge = window.bridge as unknown as WebMessageListener`. */
export interface WebMessageListener {
  postMessage(message: string): void;
  onmessage: ((event: MessageEvent<string>) => void) | null;
  addEventListener(type: "message", listener: (event: MessageEvent<string>) => void): void;
  removeEventListener(type: "message", listener: (event: MessageEvent<string>) => void): void;
}

declare global {
  interface Window {
    bridgehead: Bridge;
    webkit?: { readonly messageHandlers: { readonly bridge: UserMessageHandler } & Record<string, UserMessageHandler | undefined> };
    /** Called by the native side with each response, where the page defines it. */
    handleNativeResponse?: (response: any, requestId?: string | number) => void;
  }
}
