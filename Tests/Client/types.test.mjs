// The declarations, compiled by TypeScript (Debian's node-typescript).
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
let typescript;
try { typescript = require("typescript"); } catch { /* skipped below */ }

test("client.d.ts says what a page may write", { skip: !typescript && "TypeScript is not installed" }, () => {
  const file = fileURLToPath(new URL("types.mts", import.meta.url));
  const program = typescript.createProgram([file], {
    noEmit: true, strict: true, target: typescript.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts"], types: [],
    module: typescript.ModuleKind.Node16, moduleResolution: typescript.ModuleResolutionKind.Node16,
  });
  const problems = typescript.getPreEmitDiagnostics(program).map(problem => {
    const place = problem.file?.getLineAndCharacterOfPosition(problem.start);
    return `${problem.file?.fileName}:${place?.line + 1} ${typescript.flattenDiagnosticMessageText(problem.messageText, "\n")}`;
  });
  assert.deepEqual(problems, []);
});
