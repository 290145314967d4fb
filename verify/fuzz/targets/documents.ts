import assert from "node:assert/strict";
import { parseDocument } from "../../../src/format/document/document-parser.ts";
import { readJsonSeed, shortenLists } from "../seeds.ts";
import type { FuzzTarget } from "../target.ts";

/** What is a valid document once is a valid document once written and read again. */
export const target: FuzzTarget = {
  seeds: [
    JSON.stringify(shortenLists(readJsonSeed("docs/examples/document.json"), 2)),
    '{"format":"preflight-v1-json","risks":[]}',
  ],
  maxBytes: 16_384,
  run: async (input) => {
    const parsed = await parseDocument(input.toString("utf8"));
    if (parsed.kind === "invalid") return assert.ok(parsed.problems.length > 0);
    assert.deepEqual(await parseDocument(JSON.stringify(parsed.document)), parsed);
  },
};
