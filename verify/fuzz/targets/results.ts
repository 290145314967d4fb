import { buildComparedResult } from "../../../src/format/comparison/compared-result.ts";
import { compareResults } from "../../../src/format/comparison/comparison.ts";
import { comparisonFormats } from "../../../src/format/comparison/index.ts";
import { readResult } from "../../../src/format/document/document-parser.ts";
import { parseClusterResult } from "../../../src/format/fleet/cluster.ts";
import { fleetFormats } from "../../../src/format/fleet/index.ts";
import { buildFleet } from "../../../src/format/fleet/fleet.ts";
import { requireVisible } from "../visible.ts";
import { readJsonSeed, shortenLists } from "../seeds.ts";
import { joinTexts, splitTexts, type FuzzTarget } from "../target.ts";

const NOW = new Date("2026-11-20T00:00:00Z");
const CONTEXT = {
  now: NOW,
  maxAge: 86_400_000,
  acceptances: [{ risk: "Alpha" }],
  effects: new Map(),
  unknownNames: new Map([["crd-skew", "CrdSkewUnknown"]]),
};
const OPTIONS = { colour: false, width: 80, runnerVersion: "0.1.0" };
const [RESULT, DOCUMENT] = ["result", "document"].map((name) =>
  JSON.stringify(shortenLists(readJsonSeed(`docs/examples/${name}.json`), 2)),
);

/** Results of others are compared and shown as a fleet in every format, whatever they hold, without anything hidden. */
export const target: FuzzTarget = {
  seeds: [joinTexts(RESULT ?? "", DOCUMENT ?? ""), joinTexts(DOCUMENT ?? "", "{}")],
  maxBytes: 12_288,
  run: async (input) => {
    const texts = splitTexts(input).slice(0, 2);
    const reads = await Promise.all(texts.map(readResult));
    const [before, after] = reads.map((read, index) =>
      read.kind === "invalid"
        ? undefined
        : buildComparedResult(read.value, { label: `${index}`, accept: ["Alpha"], now: NOW }),
    );
    if (before !== undefined && after !== undefined) {
      const comparison = compareResults(before, after);
      for (const [name, format] of Object.entries(comparisonFormats))
        requireVisible(format({ comparison, ...OPTIONS }), name);
    }
    const clusters = await Promise.all(texts.map((text, index) => parseClusterResult(`c${index}`, text, CONTEXT)));
    const matrix = buildFleet({ clusters, target: undefined, now: NOW });
    for (const [name, format] of Object.entries(fleetFormats)) requireVisible(format(matrix, OPTIONS), name);
    JSON.parse(fleetFormats.json(matrix, OPTIONS));
  },
};
