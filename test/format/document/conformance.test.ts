import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDocument, readResult } from "../../../src/format/document/document-parser.ts";
import { at, objectsAt, textAt } from "../../../src/model/json.ts";
import { readKitCases, readKitDocuments, writeExpectations } from "../../../verify/kit/kit-files.ts";
import { produce } from "../../../verify/kit/our-producer.ts";

/** The controller and the runner read documents by the one, `validate` and the other commands by the other. */
const PARSERS = { parseDocument, readResult };

for (const { name: title, text: file, isValid } of readKitDocuments())
  test(`conformance: ${title}`, async () => {
    for (const [name, parse] of Object.entries(PARSERS)) {
      const parsed = await parse(file);
      const problems = parsed.kind === "invalid" ? parsed.problems.join("; ") : "";
      assert.equal(parsed.kind, isValid ? "valid" : "invalid", `${name}: ${problems}`);
    }
  });

for (const kitCase of readKitCases("producers"))
  test(`conformance: producer: ${textAt(kitCase.scenario, "title")}`, () => {
    const documents = produce(kitCase.scenario);
    if (process.env["UPDATE"] === "1") return writeExpectations(kitCase, "document", documents);
    assert.deepEqual(
      documents,
      objectsAt(kitCase.scenario, "steps").map((step) => at(step, "document")),
    );
  });
