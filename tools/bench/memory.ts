// Peak memory of one cycle over every CRD of a release with objects of each: `node tools/bench/memory.ts [RELEASE [COUNT [FLAGS...]]]`.
// Every kind is evaluated, since the served definitions have one more field than the target's. Needs a built dist/ and Linux.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { at, isObject, type Json, type JsonObject, objectAt, textAt } from "../../src/model/json.ts";
import { parseCrd } from "../../src/model/crd.ts";
import { validateObject, compileSchema } from "../../src/schema/object-validation.ts";
import { generate } from "../../test/schema/differential/object-generator.ts";
import { createRandom } from "../../test/schema/differential/random.ts";
import { createRecordedApi } from "../../test/support/recorded-api.ts";
import { readMemory } from "./process-memory.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SHARED = process.env["PREFLIGHT_SHARED"] ?? join(ROOT, "..", "shared");
const [release = "5.0", count = "300", ...flags] = process.argv.slice(2);

type ServedKind = { readonly path: string; readonly definition: JsonObject; readonly bodies: () => string };

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

/** Objects are generated for each request, so that this process holds none of them. */
function buildServedKinds(definition: JsonObject, index: number): readonly ServedKind[] {
  const crd = parseCrd(definition);
  return (crd?.versions ?? [])
    .filter(({ served, schema }) => served && schema !== "")
    .map((version) => {
      const schema: JsonObject = objectAt(JSON.parse(version.schema));
      const apiVersion = `${crd?.group}/${version.name}`;
      const bodies = (): string => {
        const [random, prepared] = [createRandom(index), compileSchema(version.schema)];
        const items = Array.from({ length: Number(count) }, (_, i) => {
          const object = generateValid(() => generate(schema, apiVersion, crd?.kind ?? "", random, 0), prepared);
          return JSON.stringify({ ...object, metadata: { name: `object-${i}`, namespace: "demo" } });
        });
        return `{"apiVersion":"${apiVersion}","kind":"${crd?.kind}List","metadata":{"resourceVersion":"1"},"items":[${items.join(",")}]}`;
      };
      return { path: `/apis/${apiVersion}/${crd?.plural}`, definition, bodies };
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
  const copy = structuredClone(definition);
  const versions = at(copy, "spec", "versions");
  const changed = (Array.isArray(versions) ? versions : []).map((version: Json) => {
    const schema = objectAt(version, "schema", "openAPIV3Schema");
    const properties = { ...objectAt(schema, "properties"), onlyInstalled: { type: "string" } };
    return { ...objectAt(version), schema: { openAPIV3Schema: { ...schema, properties } } };
  });
  return { ...copy, spec: { ...objectAt(copy, "spec"), versions: changed } };
}

const fact = {
  "/apis/config.openshift.io/v1/clusterversions/version": {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
    status: { history: [{ state: "Completed", version: `${release}.1` }] },
  },
  "/apis/config.openshift.io/v1/featuregates/cluster": {
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: { name: "cluster" },
    spec: {},
  },
  "/apis/apps/v1/namespaces/openshift-cluster-version/deployments/cluster-version-operator": {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "cluster-version-operator", namespace: "openshift-cluster-version" },
  },
};

const folder = mkdtempSync(join(tmpdir(), "preflight-memory-"));
const crds = readDefinitions(join(SHARED, "crds", release));
const kinds = crds.flatMap(buildServedKinds);
const lists = new Map(kinds.map(({ path, bodies }) => [path, bodies]));
const answer = createRecordedApi({ ...fact, ...Object.fromEntries(kinds.map(({ path }) => [path, { items: [] }])) });
let [served, bytes] = [0, 0];

const server = createServer((request, response) => {
  const path = (request.url ?? "").split("?")[0] ?? "";
  const body = findBody(path);
  const other = answer(path);
  response.writeHead(body === undefined ? other.code : 200, { "content-type": "application/json" });
  served += lists.has(path) ? Number(count) : 0;
  bytes += body?.length ?? 0;
  response.end(body ?? (typeof other.body === "string" ? other.body : JSON.stringify(other.body)));
});

function findBody(path: string): string | undefined {
  if (path === "/apis/apiextensions.k8s.io/v1/customresourcedefinitions")
    return JSON.stringify({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "List",
      metadata: {},
      items: crds.map(addField),
    });
  return lists.get(path)?.();
}

mkdirSync(join(folder, "release"));
cpSync(join(SHARED, "crds", release), join(folder, "release"), { recursive: true });
writeFileSync(
  join(folder, "release", "release-metadata"),
  JSON.stringify({ kind: "cincinnati-metadata-v0", version: `${release}.2` }),
);
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const kubeconfig = join(folder, "kubeconfig");
  const cluster = { name: "bench", cluster: { server: `http://127.0.0.1:${port}` } };
  const context = { name: "bench", context: { cluster: "bench", user: "bench" } };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [cluster],
      contexts: [context],
      users: [{ name: "bench", user: { token: "bench" } }],
      "current-context": "bench",
    }),
  );
  const start = performance.now();
  const args = ["--format=preflight-v1-json", "--interval", "0", "--only", "crd-skew"];
  const given = [...args, "--target", join(folder, "release"), "--kubeconfig", kubeconfig];
  const executable = join(ROOT, "dist", "preflight");
  const child = spawn(process.execPath, [...flags, executable, ...given], { stdio: ["ignore", "pipe", "inherit"] });
  let [peak, out] = [0, ""];
  const watch = setInterval(() => (peak = Math.max(peak, readMemory(child.pid))), 50);
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.on("exit", (code) => {
    clearInterval(watch);
    server.close();
    rmSync(folder, { recursive: true });
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    const outcome = textAt(JSON.parse(out), "checks", 0, "outcome");
    console.log(
      `${crds.length} CRDs, ${served} objects, ${(bytes / 1_048_576).toFixed(0)} MiB read: exit ${code}, crd-skew ${outcome}, ${seconds} s`,
    );
    console.log(`peak ${peak.toFixed(0)} MiB`);
  });
});
