import { strict as assert } from "node:assert";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type JsonObject, at, textAt } from "../../src/model/json.ts";
import { judgeDefinition } from "../../src/schema/crd/index.ts";
import { SHARED } from "../../verify/api-server/control-plane.ts";
import { generateRound } from "../../verify/differential/generate-round.ts";
import { buildReleaseRound, readReleaseCrds } from "../../verify/differential/release-round.ts";
import type { Round } from "../../verify/differential/round.ts";
import { ORACLE_MINOR, findOracle } from "../../verify/differential/oracle.ts";
import { createRandom } from "../../verify/schema/random/random.ts";
import { hasAllCases, sampleEach } from "../support/cases/sample.ts";

const ROUNDS = Number(process.env["PREFLIGHT_ROUNDS"] ?? (hasAllCases ? 15 : 5));
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);

test("the same seed gives the same round, in a group of its own", () => {
  const one = generateRound(createRandom(SEED), 17, 5);
  const other = generateRound(createRandom(SEED), 17, 5);
  assert.deepEqual(one, other);
  assert.equal(textAt(one.before, "metadata", "name"), "things.r17.example.com");
  assert.ok(one.objects.every((object) => textAt(object, "apiVersion")?.startsWith("r17.example.com/v")));
  assert.deepEqual(
    one.objects.map((object) => textAt(object, "metadata", "name")),
    ["o0", "o1", "o2", "o3", "o4"],
  );
});

test("an API server accepts nearly all CRDs of random rounds, and most of their objects", async (t) => {
  const oracle = await findOracle();
  if (typeof oracle === "string") return t.skip(oracle);
  const folder = mkdtempSync(join(tmpdir(), "preflight-rounds-"));
  try {
    const random = createRandom(SEED);
    const rounds = Array.from({ length: ROUNDS }, (_, i) => generateRound(random, i, 20));
    const files = rounds.map((round) => writeRound(round, folder));
    const accepted = await oracle(
      files.flatMap((both) => both.map((crd) => ({ crd, check: true as const, exact: true as const }))),
    );
    const questions = rounds.flatMap(({ objects }, i) =>
      objects.map((object) => ({ crd: files[i]?.[0] ?? "", version: getVersion(object), object })),
    );
    const shares = [accepted, await oracle(questions)].map(getValidShare);
    t.diagnostic(`${shares.map((share) => Math.round(share * 100)).join(" % of CRDs, ")} % of objects, seed ${SEED}`);
    assert.ok((shares[0] ?? 0) >= 0.85 && (shares[1] ?? 0) >= 0.5);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function writeRound({ before, after, group }: Round, folder: string): readonly string[] {
  return [before, after].map((crd, i) => {
    const file = join(folder, `${group}-${i}.json`);
    writeFileSync(file, JSON.stringify(crd));
    return file;
  });
}

function getVersion(object: JsonObject): string {
  return (textAt(object, "apiVersion") ?? "").replace(/^.*\//, "");
}

function getValidShare(answers: readonly JsonObject[]): number {
  return answers.filter((answer) => at(answer, "valid") === true).length / answers.length;
}

test("CRDs of releases are accepted in a group of their own, without webhooks", (t) => {
  if (!existsSync(join(SHARED, "crds"))) return t.skip("there is no ../shared/crds (set PREFLIGHT_SHARED)");
  const crds = readReleaseCrds(SHARED);
  assert.ok(crds.size > 100);
  const random = createRandom(SEED);
  for (const [name, all] of sampleEach([...crds].slice(0, 20), 4)) {
    const old = all[0];
    const next = all.at(-1);
    if (old === undefined || next === undefined) throw new Error(`${name} is empty`);
    const { before, after, objects } = buildReleaseRound(random, 3, old, next, 3);
    for (const crd of [before, after]) {
      assert.equal(textAt(crd, "spec", "conversion", "strategy"), "None");
      assert.deepEqual(judgeDefinition(crd, undefined, ORACLE_MINOR).refusals, [], name);
    }
    assert.equal(objects.length, 3);
  }
});
