import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formats } from "../../src/format/index.ts";
import { type Json, listAt, textAt } from "../../src/model/json.ts";
import { check, report } from "../../verify/pages/sample.ts";
import { buildSarifValidator } from "../support/format/sarif-validator.ts";
import { buildEvilView, buildView } from "../../verify/pages/view-sample.ts";

const DEMO = join(import.meta.dirname, "../../docs/examples/preflight.sarif");
const CLEAR = buildView(report({ checks: [check("a", { kind: "clear", notices: [] })] }));

for (const [name, text] of [
  ["a full report", formats.sarif(buildView())],
  ["foreign text", formats.sarif(buildEvilView())],
  ["a clear report", formats.sarif(CLEAR)],
  ["the demo", readFileSync(DEMO, "utf8")],
] as const)
  test(`SARIF of ${name} is valid by the schema of SARIF 2.1.0`, () => {
    const validate = buildSarifValidator();
    validate(JSON.parse(text));
    assert.deepEqual(validate.errors, null);
  });

test("the schema of SARIF refuses what is wrong", () => {
  const validate = buildSarifValidator();
  const log = JSON.parse(formats.sarif(buildView()));
  log.runs[0].results[0].level = "severe";
  log.runs[0].results[1].locations[0].physicalLocation.artifactLocation.uri = "a b";
  validate(log);
  assert.deepEqual(validate.errors?.map(({ keyword }) => keyword).toSorted(), ["enum", "format"]);
});

test("each result of SARIF names a file, without which GitHub refuses it", () => {
  const log: Json = JSON.parse(formats.sarif(buildView()));
  for (const result of listAt(log, "runs", 0, "results"))
    assert.match(
      textAt(result, "locations", 0, "physicalLocation", "artifactLocation", "uri") ?? "",
      /^(?:objects|checks)\//,
    );
});
