import { install } from "./install.mjs";

// What client.js does when it runs: bundle.mjs puts the modules before it.
if (typeof window !== "undefined") {
  const script = document.currentScript;
  const source = script?.src || location.href;
  install(window, source, { ...script?.dataset }, (file) => {
    const module = new URL(file, source);
    module.search = new URL(source).search; // a token is asked for here too
    return import(module.href);
  });
}
