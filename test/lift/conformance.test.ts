import assert from "node:assert/strict";
import { test } from "node:test";
import { at, listAt, textAt } from "../../src/model/json.ts";
import { readKitCases, writeExpectations } from "../../verify/kit/kit-files.ts";
import { playCase } from "../../verify/kit/our-reader.ts";

for (const kitCase of readKitCases("cases")) {
  const { file, scenario } = kitCase;
  test(`conformance: ${textAt(scenario, "title") ?? file}`, async () => {
    const outcomes = await playCase(scenario);
    if (process.env["UPDATE"] === "1") return writeExpectations(kitCase, "expected", outcomes);
    assert.deepEqual(
      outcomes,
      listAt(scenario, "steps").map((step) => at(step, "expected")),
    );
  });
}
