import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { load } from "js-yaml";
import { acceptEdit } from "../../src/lift/accept.ts";
import { type CrdFields, NO_FIELDS, fieldsOf } from "../../src/lift/fields.ts";
import type { Held } from "../../src/lift/held.ts";
import { type Lifted, lift } from "../../src/lift/lift.ts";
import { definition } from "../../src/lift/merge.ts";
import { nameOf } from "../../src/lift/offers.ts";
import { originOf } from "../../src/lift/origin.ts";
import { parseCrd } from "../../src/model/crd.ts";
import { type JsonObject, isObject, listAt, textAt } from "../../src/model/json.ts";
import { type Prepared, judge, prepare } from "../../src/schema/judge.ts";
import { frozen } from "../schema/cases.ts";
import { type Random, seeded } from "../schema/differential/random.ts";
import { SHARED } from "../support/control-plane.ts";
import { someCluster, somePreflight } from "./generate.ts";
import { patched } from "../support/merge-patch.ts";
import { ALL_FIELDS, clusterVersion, NOW } from "./sample.ts";

const CRDS = join(SHARED, "crds");
const skip = existsSync(CRDS) ? false : "there is no ../shared/crds (set PREFLIGHT_SHARED to its parent folder)";
const CASES = 500;

const TECH_PREVIEW: CrdFields = { ...ALL_FIELDS, mode: false };
const VARIANTS: readonly (readonly [release: string, featureSet: string, fields: CrdFields])[] = [
  ["4.21", "Default", NO_FIELDS],
  ["4.22", "Default", NO_FIELDS],
  ["4.22", "TechPreviewNoUpgrade", TECH_PREVIEW],
  ["4.22", "DevPreviewNoUpgrade", ALL_FIELDS],
  ["5.0", "Default", NO_FIELDS],
  ["5.0", "TechPreviewNoUpgrade", TECH_PREVIEW],
  ["5.0", "DevPreviewNoUpgrade", ALL_FIELDS],
];

for (const [version, featureSet, fields] of VARIANTS) {
  describe(`the ClusterVersion CRD of ${version}, ${featureSet}`, { skip }, () => {
    test("says which fields there are", async () => {
      assert.deepEqual(fieldsOf(await crdOf(version, featureSet)), fields);
    });

    test(`takes what is lifted in ${CASES} random courses of three steps, drops nothing of it, and loses nothing of others`, async () => {
      const prepared = await schemaOf(version, featureSet);
      const random = seeded(version.length * 1_000 + featureSet.length);
      for (let i = 0; i < CASES; i += 1) play(random, fields, prepared);
    });

    test("takes accepted risks wherever they may be accepted", async () => {
      const prepared = await schemaOf(version, featureSet);
      const edit = acceptEdit(clusterVersion(), fields, { kind: "change", add: ["A", "B"], remove: [] });
      if (edit.kind === "patch") assertTaken(prepared, patched(clusterVersion(), edit.patch));
      assert.equal(edit.kind, fields.acceptRisks ? "patch" : "refused");
    });
  });
}

/** Three lifts, one upon the other, some with what was kept lost. */
function play(random: Random, fields: CrdFields, prepared: Prepared): void {
  let object = someCluster(random, fields);
  let held: Held | undefined;
  for (let step = 0; step < 3; step += 1) {
    const preflight = somePreflight(random);
    const input = frozen({
      clusterVersion: object,
      fields,
      now: NOW,
      ...(preflight ? { preflight } : {}),
      ...(held ? { held } : {}),
    });
    const lifted = lift(input);
    assert.deepEqual(lift(input), lifted);
    const after: JsonObject = { ...object, status: lifted.status };
    assertTaken(prepared, after);
    assert.deepEqual(othersOf(after), othersOf(object));
    assertNothingHidden(lifted);
    object = after;
    held = random.chance(0.3) ? undefined : lifted.held;
  }
}

function assertTaken(prepared: Prepared, object: JsonObject): void {
  const { errors, pruned, rules } = judge(prepared, object);
  assert.deepEqual({ errors, pruned, rules }, { errors: [], pruned: [], rules: [] });
}

/** Every risk that is no preflight's, with the update that it is at. */
function othersOf(object: JsonObject): readonly string[] {
  const updates = listAt(object, "status", "conditionalUpdates").filter(isObject);
  const risks = updates.flatMap((update) =>
    listAt(update, "risks")
      .filter(isObject)
      .filter((one) => !originOf(one))
      .map((one) => `${textAt(update, "release", "version") ?? ""} ${definition(one)}`),
  );
  const union = listAt(object, "status", "conditionalUpdateRisks").filter(isObject);
  return [...risks, ...union.filter((one) => !originOf(one)).map(nameOf)].toSorted();
}

/** A result is shown in full, or the conditions say what is missing. */
function assertNothingHidden({ status, held, problems }: Lifted): void {
  const update = listAt(status, "conditionalUpdates").find((one) => textAt(one, "release", "version") === held?.target);
  const shown = new Set(
    listAt(update, "risks")
      .filter(isObject)
      .filter((one) => originOf(one))
      .map(nameOf),
  );
  const hidden = (held?.risks ?? []).filter((one) => !shown.has(nameOf(one)));
  if (hidden.length === 0) return;
  const reasons = problems.map(({ reason }) => reason).filter((reason) => reason !== "RiskFieldsAbsent");
  assert.notDeepEqual(reasons, []);
}

async function crdOf(version: string, featureSet: string): Promise<JsonObject> {
  const name = `0000_00_cluster-version-operator_01_clusterversions-${featureSet}.crd.yaml`;
  const value: unknown = load(await readFile(join(CRDS, version, name), "utf8"));
  return isObject(value) ? value : assert.fail(`${name} is no object`);
}

async function schemaOf(version: string, featureSet: string): Promise<Prepared> {
  const schema = parseCrd(await crdOf(version, featureSet))?.versions.find(({ name }) => name === "v1")?.schema;
  const prepared = prepare(schema ?? "");
  return prepared.kind === "prepared" ? prepared : assert.fail(prepared.message);
}
