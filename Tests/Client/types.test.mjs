// The declarations, compiled by TypeScript (Debian's node-typescript).
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL("../../web-fixtures/client/", import.meta.url);
const require = createRequire(import.meta.url);
let typescript;
try { typescript = require("typescript"); } catch { /* skipped below */ }

for (const [resolution, options] of typescript ? [
  ["node16", { module: typescript.ModuleKind.Node16, moduleResolution: typescript.ModuleResolutionKind.Node16 }],
  ["bundler", { module: typescript.ModuleKind.ES2022, moduleResolution: typescript.ModuleResolutionKind.Bundler ?? typescript.ModuleResolutionKind.NodeJs }],
] : [["", {}]]) {
  test(`client.d.ts says what a page may write: ${resolution}`, { skip: !typescript && "TypeScript is not installed" }, () => {
    const file = fileURLToPath(new URL("types.mts", import.meta.url));
    const program = typescript.createProgram([file], {
      noEmit: true, strict: true, target: typescript.ScriptTarget.ES2022, lib: ["lib.es2022.d.ts", "lib.dom.d.ts"], types: [], ...options,
    });
    const problems = typescript.getPreEmitDiagnostics(program).map(problem => {
      const place = problem.file?.getLineAndCharacterOfPosition(problem.start);
      return `${problem.file?.fileName}:${place?.line + 1} ${typescript.flattenDiagnosticMessageText(problem.messageText, "\n")}`;
    });
    assert.deepEqual(problems, []);
  });
}

test("an import by address has its types, as the head of client.d.ts says", { skip: !typescript && "TypeScript is not installed" }, () => {
  const [, paths] = readFileSync(new URL("client.d.ts", folder), "utf8").match(/"paths": (\{.*\})/);
  const { options, fileNames, errors } = typescript.parseJsonConfigFileContent({
    files: [fileURLToPath(new URL("types-by-address.mts", import.meta.url))],
    compilerOptions: { noEmit: true, strict: true, target: "es2022", module: "es2022", moduleResolution: "node", lib: ["es2022", "dom"], types: [], paths: JSON.parse(paths) },
  }, typescript.sys, fileURLToPath(folder));
  const problems = typescript.getPreEmitDiagnostics(typescript.createProgram(fileNames, options));
  assert.deepEqual([...errors, ...problems].map(({ messageText }) => typescript.flattenDiagnosticMessageText(messageText, "\n")), []);
});

test("the declarations name what the module exports, and no more", async () => {
  const declared = [...readFileSync(new URL("client.d.ts", folder), "utf8").matchAll(/^export declare (?:const|class) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(declared.sort(), Object.keys(await import(new URL("client.mjs", folder))).sort());
});

test("the declarations name the members of a bridge", async () => {
  const { Bridge } = await import(new URL("client.mjs", folder));
  const [, body] = readFileSync(new URL("client.d.ts", folder), "utf8").match(/^export declare class Bridge extends EventTarget \{\n(.*?)^\}/ms);
  const declared = new Set([...body.matchAll(/^  (?:readonly )?(\w+)[<(:]/gm)].map(([, name]) => name));
  declared.delete("addEventListener");
  assert.deepEqual([...declared].sort(), Object.getOwnPropertyNames(Bridge.prototype).sort());
});
