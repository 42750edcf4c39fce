// Compiled, never run: an import by the server's address.
import { bridge, BridgeError } from "http://localhost:7357/_bridge/client.mjs";

export const stop: () => void = bridge.handle("pay", () => { throw new BridgeError(4001, "Not signed in"); });
// @ts-expect-error The name is a string.
bridge.request(1);
