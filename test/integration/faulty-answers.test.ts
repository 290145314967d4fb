import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { AGED_FAULTS } from "../../verify/reliability/answer-faults.ts";
import { FAULTS, LIST_FAULTS, OBJECT_FAULTS } from "../../verify/reliability/faults.ts";
import { hasAllCases, sampleEach } from "../support/cases/sample.ts";
import { openSeededFaults } from "../support/integration/seeded-faults.ts";
import { describeStrikes, drawPairs, listStrikes } from "../support/strikes.ts";

/** PREFLIGHT_CASES=all strikes every answer with every fault, of a second release too, and more pairs. */
const SINGLES_STEP = 151;
const PAIRS = hasAllCases ? 300 : 4;
const SEED = 42;
const UPDATES = [
  ["4.20", "4.21.0"],
  ["5.0", "5.1.0"],
] as const;

/** Whatever goes on for long is tried with the demo (test/checks/faults.test.ts). */
const LONG = /without an end|6 MiB|killed|no response|for ever|gzip bomb/;
const ANY = [...FAULTS.filter((fault) => !LIST_FAULTS.includes(fault) && !LONG.test(fault.name)), ...AGED_FAULTS];

describe("a proxy before a seeded cluster, which cuts, repeats, renames, empties and ages answers", () => {
  for (const [release, target] of hasAllCases ? UPDATES : UPDATES.slice(0, 1))
    test(`makes no check of ${release} to ${target} better than it is`, { skip: noControlPlane }, async (t) => {
      const cluster = await openSeededFaults(t, release, target);
      if (hasAllCases) assert.deepEqual(cluster.whole.checks, (await cluster.readDirectly()).checks);
      const risks = cluster.whole.checks.filter(({ outcome }) => outcome.kind === "risk");
      assert.ok(risks.length >= 15 && cluster.whole.unseen.length === 0);
      const singles = [
        ...listStrikes(cluster.lists, [...LIST_FAULTS, ...ANY]),
        ...listStrikes(cluster.others, [...OBJECT_FAULTS, ...ANY]),
      ];
      const all = [...sampleEach(singles, SINGLES_STEP).map((one) => [one]), ...drawPairs(singles, PAIRS, SEED)];
      const hidden: string[] = [];
      for (const strikes of all)
        hidden.push(...(await cluster.findHidden(strikes)).map((one) => `${describeStrikes(strikes)}: ${one}`));
      const paths = `${cluster.lists.length} lists and ${cluster.others.length} others`;
      t.diagnostic(`${all.length} runs over ${paths}, ${risks.length} checks with risks`);
      assert.deepEqual(hidden, []);
    });
});
