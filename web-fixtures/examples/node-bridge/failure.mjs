// Failures, as they are sent: a code, a message, data if there is any (PROTOCOL.md, section 4).

export class Failure extends Error {
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * What a handler throws. The protocol's own codes, and what 32 bits do not hold, become −32000 (rules F1, F2).
 * @param {bigint} code
 */
export function applicationFailure(code, message, data) {
  const isProtocols = (code >= -32768n && code <= -32000n) || code === -32800n;
  if (!isProtocols && BigInt.asIntN(32, code) === code) return new Failure(code, message, data);
  const members = new Map(data instanceof Map ? data : data === undefined ? [] : [["data", data]]);
  return new Failure(-32000, message, members.set("code", code));
}

export const parseError = (help) => new Failure(-32700, "Parse error", { help });
export const invalidRequest = (help) => new Failure(-32600, "Invalid Request", { help });
export const duplicateID = () => new Failure(-32600, "Invalid Request", { duplicate: true, help: "it is in flight" });
export const unsupportedVersion = () => new Failure(-32600, "Invalid Request", { supported: [1] });
export const methodNotFound = (data) => new Failure(-32601, "Method not found", data);
export const invalidParams = (path, expected) => new Failure(-32602, "Invalid params", { path, expected });
export const internalError = (data) => new Failure(-32603, "Internal error", data);
export const noReply = () => new Failure(-32003, "No reply");
export const connectionClosed = () => new Failure(-32004, "Connection closed");
export const pageNotConnected = () => new Failure(-32006, "Page not connected", { help: "it has not said $/hello" });
export const tooManyRequests = () => new Failure(-32008, "Too many requests");
export const cancelled = () => new Failure(-32800, "Cancelled");
