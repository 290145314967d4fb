// Peak memory of one cycle over every CRD of a release with objects of each: `node tools/bench/memory.ts [RELEASE [COUNT [NODE_OPTIONS]]]`.
// Every kind is evaluated, since the served definitions have one more field than the target's. Needs a built dist/ and Linux.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { type Json, type JsonObject, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { parseCrd } from "../../src/model/crd.ts";
import { validateObject, compileSchema } from "../../src/schema/object-validation.ts";
import { generate } from "../../test/support/schema/differential/object-generator.ts";
import { createRandom } from "../../test/support/schema/differential/random.ts";
import { buildOpenShiftDefaults } from "../../test/support/cases/defaults.ts";
import { layOutPayload } from "../pairs/releases.ts";
import { runAndMeasure, writeKubeconfig } from "../reliability/run.ts";
import { CRDS, type MockList, startMockCluster } from "./mock-cluster.ts";

const SHARED = process.env["PREFLIGHT_SHARED"] ?? join(import.meta.dirname, "..", "..", "..", "shared");
const [release = "5.0", count = "300", ...flags] = process.argv.slice(2);

function readDefinitions(folder: string): readonly JsonObject[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => loadAll(readFileSync(join(folder, name), "utf8")))
    .flatMap((value) => {
      const plain: Json = JSON.parse(JSON.stringify(value ?? null));
      return isObject(plain) && textAt(plain, "kind") === "CustomResourceDefinition" && isInDefaultSet(plain)
        ? [plain]
        : [];
    });
}

function isInDefaultSet(definition: JsonObject): boolean {
  const set = textAt(definition, "metadata", "annotations", "release.openshift.io/feature-set");
  return set === undefined || set.split(",").includes("Default");
}

function buildLists(definition: JsonObject): readonly MockList[] {
  const crd = parseCrd(definition);
  if (crd === undefined) return [];
  const { group, kind, plural, versions } = crd;
  return versions
    .filter(({ served, schema }) => served && schema !== "")
    .map((version) => {
      const schema: JsonObject = objectAt(JSON.parse(version.schema));
      const apiVersion = `${group}/${version.name}`;
      const format = (i: number): string => {
        const random = createRandom(i);
        const object = generateValid(
          () => generate(schema, apiVersion, kind, random, 0),
          compileSchema(version.schema),
        );
        return JSON.stringify({ ...object, metadata: { name: `object-${i}`, namespace: "demo" } });
      };
      return { apiVersion, kind, path: `/apis/${apiVersion}/${plural}`, count: Number(count), format };
    });
}

const MAX_ATTEMPTS = 40;

/** Most objects of a cluster are valid; for some kinds the generator finds no valid one. */
function generateValid(make: () => JsonObject, prepared: ReturnType<typeof compileSchema>): JsonObject {
  if (prepared.kind === "refused") return make();
  for (let i = 0; i < MAX_ATTEMPTS; i++) {
    const object = make();
    if (validateObject(prepared, object).errors.length === 0) return object;
  }
  return make();
}

/** The installed definition: the target's with one more field, so that every schema changes. */
function addField(definition: JsonObject): JsonObject {
  const spec = objectAt(definition, "spec");
  const versions = listAt(spec, "versions").map((version) => {
    const schema = objectAt(version, "schema", "openAPIV3Schema");
    const properties = { ...objectAt(schema, "properties"), onlyInstalled: { type: "string" } };
    return { ...objectAt(version), schema: { openAPIV3Schema: { ...schema, properties } } };
  });
  return { ...definition, spec: { ...spec, versions } };
}

const crds = readDefinitions(join(SHARED, "crds", release));
const kinds = crds.flatMap(buildLists);
const installed = { ...CRDS, count: crds.length, format: (i: number) => JSON.stringify(addField(crds[i] ?? {})) };
const cluster = await startMockCluster([...kinds, installed], buildOpenShiftDefaults(`${release}.0-rc.1`));
const folder = mkdtempSync(join(tmpdir(), "preflight-memory-"));
const target = join(folder, "release");
await layOutPayload(SHARED, release, target);
const kubeconfig = await writeKubeconfig(folder, cluster.url);
const { outcome, code, seconds, peak } = await runAndMeasure(
  [
    "--format=preflight-v1-json",
    "--interval",
    "0",
    "--only",
    "crd-skew",
    "--target",
    target,
    "--kubeconfig",
    kubeconfig,
  ],
  flags.length > 0 ? { NODE_OPTIONS: flags.join(" ") } : {},
);
console.log(
  `${crds.length} CRDs, ${kinds.length * Number(count)} objects: exit ${code}, ${outcome}, ${seconds} s, peak ${peak} MiB`,
);
cluster.close();
rmSync(folder, { recursive: true });
