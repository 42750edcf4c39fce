import { Overlays } from "./overlays.mjs";

// What overlays.js does when it runs, in a world of its own: bundle.mjs puts the modules before it.
globalThis.bridgeheadOverlays = { Overlays };
