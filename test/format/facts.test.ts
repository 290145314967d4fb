import assert from "node:assert/strict";
import { test } from "node:test";
import { formats } from "../../src/format/index.ts";
import { findOwn } from "../../src/model/json.ts";
import { FACTS, OMISSIONS } from "../../verify/pages/facts.ts";
import { buildMarkedView } from "../support/format/marked-view.ts";

const SEEDS = [1, 2, 3, 5, 8, 13, 21, 34];
/** The text without line breaks, the separators of large numbers, the escapes of markup, and what keeps words together. */
function flatten(text: string): string {
  const plain = text
    .replaceAll(/<\/?(?:span|wbr)>/g, "")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll(/\s+/g, " ");
  return plain.replaceAll(/(?<=\d),(?=\d{3})/g, "");
}

for (const [name, format] of Object.entries(formats))
  test(`${name} shows every fact of a report, but for those that its page names`, () => {
    const omitted = (findOwn(OMISSIONS, name) ?? []).flatMap(({ facts }) => facts);
    const expected = FACTS.filter((fact) => omitted.includes(fact));
    assert.equal(omitted.length, expected.length, "a fact is omitted once");
    for (const seed of SEEDS) {
      const { view, marks } = buildMarkedView(seed);
      const text = flatten(format(view));
      const missing = FACTS.filter((fact) => !marks[fact].every((mark) => text.includes(mark)));
      assert.deepEqual(missing, expected, `seed ${seed}`);
    }
  });
