import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { NEWEST_MINOR } from "../../../src/schema/openapi/server-features.ts";
import { generateRule } from "../../../verify/schema/cel/expression-generator.ts";
import {
  type PlacedRule,
  type RuleVerdict,
  askRules,
  judgeRules,
  placeRule,
} from "../../support/schema/cel/expression-verdicts.ts";
import { type Oracle, ORACLE_MINOR, findOracle } from "../../../verify/differential/oracle.ts";
import { createRandom } from "../../../verify/schema/random/random.ts";

// PREFLIGHT_CEL_EXPRESSIONS=100000 PREFLIGHT_SEED=7 node --test test/schema/cel/expressions.test.ts
const EXPRESSIONS = Number(process.env["PREFLIGHT_CEL_EXPRESSIONS"] ?? 500);
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
const BATCH = 500;
/** Go visits the keys of a map in a random order, so that an answer may have been one of several. */
const RETRIES = 12;
const MAX_REPORTED = 20;

type Difference = { readonly rule: PlacedRule; readonly ours: RuleVerdict; readonly theirs: RuleVerdict | undefined };

function buildRules(random: ReturnType<typeof createRandom>): readonly PlacedRule[] {
  return Array.from({ length: BATCH }, () => placeRule(generateRule(random), random.chance(0.2)));
}

async function compare(
  rules: readonly PlacedRule[],
  oracle: Oracle,
  folder: string,
): Promise<{ readonly differences: readonly Difference[]; readonly refused: number }> {
  const mine = judgeRules(rules);
  const answers = await askRules(rules, oracle, folder);
  const differences = rules.flatMap((rule, i): readonly Difference[] => {
    const ours = mine[i];
    const theirs = answers[i];
    const isSame = ours?.definition === theirs?.definition && ours?.value === theirs?.value;
    return ours === undefined || isSame ? [] : [{ rule, ours, theirs }];
  });
  return { differences, refused: answers.filter(({ definition }) => definition === "refused").length };
}

/** Those that differ however often one asks. */
async function confirmAll(
  found: readonly Difference[],
  oracle: Oracle,
  folder: string,
): Promise<readonly Difference[]> {
  let left = found;
  for (let i = 0; i < RETRIES && left.length > 0; i++) {
    left = (
      await compare(
        left.map(({ rule }) => rule),
        oracle,
        folder,
      )
    ).differences;
  }
  return left;
}

function describe({ rule, ours, theirs }: Difference): string {
  return `${rule.messageExpression ?? rule.rule}\n  ours ${JSON.stringify(ours)}\n  theirs ${JSON.stringify(theirs)}`;
}

test("judges generated expressions as the API server's own packages do", async (t) => {
  const oracle = await findOracle();
  if (typeof oracle === "string") return t.skip(oracle);
  if (ORACLE_MINOR < NEWEST_MINOR) return t.skip("the expressions are those of the newest minor");
  const folder = mkdtempSync(join(tmpdir(), "preflight-expressions-"));
  try {
    const random = createRandom(SEED);
    const confirmed: Difference[] = [];
    let count = 0;
    let refused = 0;
    for (; count < EXPRESSIONS && confirmed.length === 0; count += BATCH) {
      const batch = await compare(buildRules(random), oracle, folder);
      refused += batch.refused;
      confirmed.push(...(await confirmAll(batch.differences, oracle, folder)));
    }
    t.diagnostic(`${count} expressions, ${refused} refused, ${confirmed.length} differ, seed ${SEED}`);
    assert.equal(confirmed.length, 0, confirmed.slice(0, MAX_REPORTED).map(describe).join("\n"));
    assert.ok(refused > count / 10 && refused < count * 0.9);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
