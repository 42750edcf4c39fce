/**
 * Makes the classic scripts client.js and overlays.js from the modules: `node web-fixtures/client/bundle.mjs`. Each module's
 * text follows those it imports, without its `import` and `export` words, in one function; so their top-level names have to
 * differ.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const imports = /^import (?:[^;]*? from )?"\.\/([\w-]+\.mjs)";\n+/gm;

/** Each classic script: what it is, and the module that it runs. */
export const scripts = {
  "client.js": ["The client of Bridgehead", "classic.mjs"],
  "overlays.js": ["Bridgehead's native views over a page", "overlay-classic.mjs"],
};

/**
 * The text of a classic script.
 * @param {URL} folder Where the modules are.
 * @param {string} script
 * @returns {string}
 */
export function bundle(folder, script) {
  const [title, main] = scripts[script];
  const names = new Map();
  const parts = [];
  const seen = new Set();
  const add = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    const source = readFileSync(new URL(file, folder), "utf8");
    for (const [, imported] of source.matchAll(imports)) add(imported);
    const text = source.replaceAll(imports, "").replaceAll(/^export /gm, "");
    for (const [, name] of text.matchAll(/^(?:async )?(?:function|class|const|let) (\w+)/gm)) {
      if (names.has(name)) throw new Error(`${file} and ${names.get(name)} both have a ${name} at their top level`);
      names.set(name, file);
    }
    parts.push(`// ${file}\n\n${text.trim()}\n`);
  };
  add(main);
  const header = `// ${title} as a classic script. Made by bundle.mjs from the modules beside it; change those.\n`;
  return `${header}(() => {\n"use strict";\n\n${parts.join("\n")}})();\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = new URL("./", import.meta.url);
  for (const script of Object.keys(scripts)) writeFileSync(new URL(script, folder), bundle(folder, script));
}
