import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { load } from "js-yaml";
import { buildAcceptEdit } from "../../src/lift/objects/cluster-version-edit.ts";
import { type GatedFields, NO_GATED_FIELDS, getGatedFields } from "../../src/lift/objects/gated-fields.ts";
import type { RetainedResult } from "../../src/lift/progress/retained-result.ts";
import { type LiftResult, lift } from "../../src/lift/lift.ts";
import { getDefinitionKey } from "../../src/lift/risk-merge.ts";
import { findOrigin, nameOf } from "../../src/lift/objects/cluster-version.ts";
import { parseCrd } from "../../src/model/crd.ts";
import { type JsonObject, isObject, listAt, textAt } from "../../src/model/json.ts";
import { type CompiledSchema, validateObject, compileSchema } from "../../src/schema/crd/index.ts";
import { deepFreeze } from "../../src/cases/runner.ts";
import { type Random, createRandom } from "../../verify/schema/random/random.ts";
import { SHARED } from "../../verify/api-server/control-plane.ts";
import { someCluster, somePreflight } from "../support/lift/generate.ts";
import { applyMergePatch } from "../../src/cases/patch.ts";
import { ALL_FIELDS, clusterVersion, NOW } from "../../verify/operator/status-sample.ts";
import { hasAllCases } from "../support/cases/sample.ts";

const CRDS = join(SHARED, "crds");
const skip = existsSync(CRDS) ? false : "there is no ../shared/crds (set PREFLIGHT_SHARED to its parent folder)";
// PREFLIGHT_LIFTS=5000 npm test -- test/lift/crds.test.ts
const CASES = Number(process.env["PREFLIGHT_LIFTS"] ?? (hasAllCases ? 1_000 : 40));

const TECH_PREVIEW: GatedFields = { ...ALL_FIELDS, mode: false };
const VARIANTS: readonly (readonly [release: string, featureSet: string, fields: GatedFields])[] = [
  ["4.21", "Default", NO_GATED_FIELDS],
  ["4.22", "Default", NO_GATED_FIELDS],
  ["4.22", "TechPreviewNoUpgrade", TECH_PREVIEW],
  ["4.22", "DevPreviewNoUpgrade", ALL_FIELDS],
  ["5.0", "Default", NO_GATED_FIELDS],
  ["5.0", "TechPreviewNoUpgrade", TECH_PREVIEW],
  ["5.0", "DevPreviewNoUpgrade", ALL_FIELDS],
];

for (const [version, featureSet, fields] of VARIANTS) {
  describe(`the ClusterVersion CRD of ${version}, ${featureSet}`, { skip }, () => {
    test("tells which fields exist", async () => {
      assert.deepEqual(getGatedFields(await readCrd(version, featureSet)), fields);
    });

    test(`accepts ${CASES} random sequences of three lifts, prunes nothing, and loses nothing of other sources`, async () => {
      const prepared = await readSchema(version, featureSet);
      const random = createRandom(version.length * 1_000 + featureSet.length);
      for (let i = 0; i < CASES; i += 1) runCase(random, fields, prepared);
    });

    test("accepts acceptRisks wherever the schema has it", async () => {
      const prepared = await readSchema(version, featureSet);
      const edit = buildAcceptEdit(clusterVersion(), fields, { kind: "change", add: ["A", "B"], remove: [] });
      if (edit.kind === "patch") assertAccepted(prepared, applyMergePatch(clusterVersion(), edit.patch));
      assert.equal(edit.kind, fields.acceptRisks ? "patch" : "refused");
    });
  });
}

/** Three lifts, each on top of the one before, some after the retained result was lost. */
function runCase(random: Random, fields: GatedFields, prepared: CompiledSchema): void {
  let object = someCluster(random, fields);
  let retained: RetainedResult | undefined;
  for (let step = 0; step < 3; step += 1) {
    const preflight = somePreflight(random);
    const input = deepFreeze({
      clusterVersion: object,
      fields,
      now: NOW,
      ...(preflight ? { preflight } : {}),
      ...(retained ? { retained } : {}),
    });
    const lifted = lift(input);
    assert.deepEqual(lift(input), lifted);
    const after: JsonObject = { ...object, status: lifted.status };
    assertAccepted(prepared, after);
    assert.deepEqual(listOtherRisks(after), listOtherRisks(object));
    assertNothingHidden(lifted);
    object = after;
    retained = random.chance(0.3) ? undefined : lifted.retained;
  }
}

function assertAccepted(prepared: CompiledSchema, object: JsonObject): void {
  const { errors, prunedPaths, unevaluatedRules } = validateObject(prepared, object);
  assert.deepEqual({ errors, prunedPaths, unevaluatedRules }, { errors: [], prunedPaths: [], unevaluatedRules: [] });
}

/** Every risk of another source, with its update. */
function listOtherRisks(object: JsonObject): readonly string[] {
  const updates = listAt(object, "status", "conditionalUpdates").filter(isObject);
  const risks = updates.flatMap((update) =>
    listAt(update, "risks")
      .filter(isObject)
      .filter((one) => !findOrigin(one))
      .map((one) => `${textAt(update, "release", "version") ?? ""} ${getDefinitionKey(one)}`),
  );
  const union = listAt(object, "status", "conditionalUpdateRisks").filter(isObject);
  return [...risks, ...union.filter((one) => !findOrigin(one)).map(nameOf)].toSorted();
}

/** A result is shown in full, or the conditions report what is missing. */
function assertNothingHidden({ status, retained, problems }: LiftResult): void {
  const update = listAt(status, "conditionalUpdates").find(
    (one) => textAt(one, "release", "version") === retained?.target,
  );
  const shown = new Set(
    listAt(update, "risks")
      .filter(isObject)
      .filter((one) => findOrigin(one))
      .map(nameOf),
  );
  const hidden = (retained?.risks ?? []).filter((one) => !shown.has(nameOf(one)));
  if (hidden.length === 0) return;
  const reasons = problems.map(({ reason }) => reason).filter((reason) => reason !== "RiskFieldsAbsent");
  assert.notDeepEqual(reasons, []);
}

async function readCrd(version: string, featureSet: string): Promise<JsonObject> {
  const name = `0000_00_cluster-version-operator_01_clusterversions-${featureSet}.crd.yaml`;
  const value: unknown = load(await readFile(join(CRDS, version, name), "utf8"));
  return isObject(value) ? value : assert.fail(`${name} is no object`);
}

async function readSchema(version: string, featureSet: string): Promise<CompiledSchema> {
  const schema = parseCrd(await readCrd(version, featureSet))?.versions.find(({ name }) => name === "v1")?.schema;
  const prepared = compileSchema(schema ?? "");
  return prepared.kind === "prepared" ? prepared : assert.fail(prepared.message);
}
