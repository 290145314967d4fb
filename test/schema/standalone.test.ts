import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import type * as cel from "../../src/schema/cel/index.ts";
import type * as crd from "../../src/schema/crd/index.ts";
import type * as openapi from "../../src/schema/openapi/index.ts";
import { SCHEMA_KNOWS } from "../support/layers.ts";

const ROOT = join(import.meta.dirname, "../..");
/** `errors.ts` counts in sentences. */
const MODEL = [...SCHEMA_KNOWS, "src/model/text.ts"];

/** One library with all that it needs as a module of its own, and the folders of src/schema and the files and packages that are in it. */
async function bundle(library: string): Promise<{ readonly url: string; readonly parts: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [`src/schema/${library}/index.ts`],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    logLevel: "silent",
  });
  const parts = Object.keys(metafile.inputs).map(
    (path) => /^(?:.*node_modules\/[^/]+|src\/schema\/[^/]+)/.exec(path)?.[0].replace(/.*node_modules\//, "") ?? path,
  );
  return {
    url: `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString("base64")}`,
    parts: [...new Set(parts)].filter((part) => !MODEL.includes(part)).toSorted(),
  };
}

test("openapi stands alone", async () => {
  const { url, parts } = await bundle("openapi");
  assert.deepEqual(parts, ["re2js", "src/schema/openapi"]);
  const library: typeof openapi = await import(url);
  const place = library.startReport();
  assert.equal(library.decodeSchema({ type: "object", properties: { a: { type: 1 } } }, place).type, "object");
  assert.deepEqual(place.report.refusals, [{ version: "", path: ".properties[a].type", reason: "must be a string" }]);
});

test("cel stands on openapi", async () => {
  const { url, parts } = await bundle("cel");
  assert.deepEqual(parts, ["re2js", "src/schema/cel", "src/schema/openapi"]);
  const library: typeof cel = await import(url);
  const declarations = {
    variables: [["object", library.DYN]],
    functions: library.API_SERVER_FUNCTIONS,
    macros: library.API_SERVER_MACROS,
  } as const;
  const expression = library.compileObjectExpression("object.replicas.exists(n, n > 2)", declarations);
  assert.ok(expression.kind === "expression");
  const object = library.jsonToValue({ replicas: [1, 3] });
  assert.deepEqual(library.evaluateExpression(expression, [object]), {
    kind: "value",
    value: true,
    cost: 15,
    work: 0,
    memory: 0,
  });
});

test("crd stands on both", async () => {
  const { url, parts } = await bundle("crd");
  assert.deepEqual(parts, ["re2js", "src/schema/cel", "src/schema/crd", "src/schema/openapi"]);
  const library: typeof crd = await import(url);
  const rule = { rule: "self.size() < 3", message: "is too long" };
  const text = { type: "string", "x-kubernetes-validations": [rule] };
  const compiled = library.compileSchema(JSON.stringify({ type: "object", properties: { name: text } }));
  assert.ok(compiled.kind === "prepared");
  const object = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" }, name: "long" };
  assert.deepEqual(library.validateObject(compiled, object).errors, [
    { type: "FieldValueInvalid", path: "name", message: "is too long" },
  ]);
});
