import { strict as assert } from "node:assert";
import { describe, test, type TestContext } from "node:test";
import { textAt } from "../../src/model/json.ts";
import { type Difference, keepStable } from "../../verify/differential/comparison.ts";
import type { Compare } from "../../verify/differential/minimise.ts";
import { compareWithPackages, compareWithServer } from "../../verify/differential/opponents.ts";
import type { Round } from "../../verify/differential/round.ts";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { findBuiltHandler } from "../../verify/differential/minor-packages.ts";
import { ORACLE_MINOR } from "../../verify/differential/oracle.ts";
import { findKnownDifference } from "../../verify/differential/known-differences.ts";
import { ROUND_KINDS, openRounds } from "../../verify/differential/rounds-source.ts";
import { hasAllCases, nightly } from "../support/cases/sample.ts";

// PREFLIGHT_ROUNDS=400 PREFLIGHT_SEED=7 node --test test/differential/rounds.test.ts; the long form is `npm run differential`.
const ROUNDS = Number(process.env["PREFLIGHT_ROUNDS"] ?? (hasAllCases ? 12 : 3));
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
/** A server takes longer for a round than its packages do. */
const SERVER_ROUNDS = Math.ceil(ROUNDS / 3);
const MAX_REPORTED = 10;
const handler = findBuiltHandler(ORACLE_MINOR);

function makeRounds(count: number): readonly Round[] {
  const makeRound = openRounds(SEED, ROUND_KINDS);
  return Array.from({ length: count }, (_, i) => makeRound(i));
}

describe("every verdict on the objects of random definitions and of those of releases", () => {
  test("is that of the API server's packages", async (t) => {
    if (handler === undefined)
      return t.skip("the handler of the packages is not built: npm run differential builds it");
    await assertSame(t, compareWithPackages(handler, ORACLE_MINOR), makeRounds(ROUNDS));
  });

  // Beside its packages, a server adds little; the handler is not built everywhere.
  const skip = noControlPlane || (handler !== undefined && nightly);
  test("is that of an API server", { skip }, async (t) => {
    const rounds = makeRounds(handler === undefined ? ROUNDS : SERVER_ROUNDS);
    await assertSame(t, compareWithServer(handler), handler === undefined ? rounds.filter(hasNoWebhook) : rounds);
  });
});

/** The handler has the conversion webhook. */
function hasNoWebhook({ before, after, older = before }: Round): boolean {
  return [older, before, after].every((crd) => textAt(crd, "spec", "conversion", "strategy") !== "Webhook");
}

async function assertSame(t: TestContext, compare: Compare, rounds: readonly Round[]): Promise<void> {
  const { verdicts, refused, differences, definitions, definitionDifferences } = await compare(rounds);
  t.diagnostic(`${verdicts} verdicts, ${refused} refused, ${definitions} definitions, seed ${SEED}`);
  const stable = await keepStable(differences, compare, 64);
  const unknown = stable.filter((one) => findKnownDifference(one, ORACLE_MINOR) === undefined);
  assert.equal(unknown.length, 0, unknown.slice(0, MAX_REPORTED).map(describeDifference).join("\n"));
  assert.deepEqual(definitionDifferences, []);
  assert.ok(verdicts > rounds.length * 100 && refused > verdicts / 50);
}

function describeDifference({ kind, way, round, ours, theirs, sample }: Difference): string {
  return [`${kind} ${way} in ${round.name}`, ...[ours, theirs, sample].map((part) => JSON.stringify(part))].join(
    "\n  ",
  );
}
