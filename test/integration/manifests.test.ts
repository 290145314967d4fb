import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type JsonObject, listAt, objectAt, objectsAt, parseObject, textAt } from "../../src/model/json.ts";
import { type AdminApi, connectAdminApi } from "../../verify/api-server/admin-api.ts";
import { CRDS } from "../../verify/api-server/api-path.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { generate } from "../../verify/schema/random/object-generator.ts";
import { createRandom } from "../../verify/schema/random/random.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const PER_VERSION = 3;
const FAULT_RATES = [0, 0.03, 0.1] as const;
const MERGE = "application/merge-patch+json";

/** What becomes of one object: whether it is taken, and the fields that it loses then. */
type Fate = { readonly isRefused: boolean; readonly dropped: readonly string[] };
type Sample = {
  readonly file: string;
  readonly path: string;
  readonly object: JsonObject;
  /** Another one of the same name, without a fault. */
  readonly base: JsonObject;
};

/** Some objects of each served version of a CRD, right ones and wrong ones. */
function buildSamples(crd: JsonObject, random: ReturnType<typeof createRandom>): readonly Omit<Sample, "file">[] {
  const spec = objectAt(crd, "spec");
  const group = textAt(spec, "group");
  const plural = textAt(spec, "names", "plural");
  const kind = textAt(spec, "names", "kind");
  const isNamespaced = textAt(spec, "scope") === "Namespaced";
  const served = objectsAt(spec, "versions").filter((version) => version["served"] === true);
  return served.flatMap((version) => {
    const schema = objectAt(version, "schema", "openAPIV3Schema");
    const apiVersion = `${group}/${textAt(version, "name")}`;
    return Array.from({ length: PER_VERSION }, (_, i) => {
      const object = generate(schema, apiVersion, kind ?? "", random, FAULT_RATES[i % FAULT_RATES.length]);
      const base = generate(schema, apiVersion, kind ?? "", random, 0);
      const metadata = { ...objectAt(object, "metadata"), ...(isNamespaced ? { namespace: "default" } : {}) };
      const path = `/apis/${apiVersion}${isNamespaced ? "/namespaces/default" : ""}/${plural}`;
      // A valid name is replaced, since another object may have it.
      const isOdd = textAt(metadata, "name")?.match(/^(?:cluster|a\.b-c|x)$/) === null;
      const named = isOdd ? metadata : { ...metadata, name: `sample-${textAt(version, "name")}-${i}` };
      return { path, object: { ...object, metadata: named }, base: { ...base, metadata: named } };
    });
  });
}

const UNKNOWN_FIELD = /^unknown field "(.*)"$/s;

function toFate(code: number, body: JsonObject, warnings: readonly string[]): Fate {
  assert.ok([200, 201, 400, 422].includes(code), `${code} ${textAt(body, "message")}`);
  const isRefused = code >= 400;
  return {
    isRefused,
    dropped: isRefused ? [] : warnings.flatMap((one) => UNKNOWN_FIELD.exec(one)?.[1] ?? []).toSorted(),
  };
}

/** The same for each file, as `preflight manifests` says; undefined of what it could not judge. */
function parseFates(out: string, files: readonly string[]): ReadonlyMap<string, Fate | undefined> {
  const report = parseObject(out);
  const byFile = Map.groupBy(objectsAt(report, "findings"), (one) => basename(textAt(one, "place", "file") ?? ""));
  const open = new Set(objectsAt(report, "unknowns").map((one) => basename(textAt(one, "place", "file") ?? "")));
  return new Map(
    files.map((file) => {
      const own = byFile.get(file) ?? [];
      const isRefused = own.some((one) => textAt(one, "effect") === "refused");
      const dropped = own.filter((one) => textAt(one, "effect") === "dropped").map((one) => formatPath(one));
      return [file, open.has(file) ? undefined : { isRefused, dropped: isRefused ? [] : dropped.toSorted() }];
    }),
  );
}

function formatPath(finding: JsonObject): string {
  return listAt(finding, "path").reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    const name = typeof step === "string" ? step : assert.fail("a step is a name or an index");
    return text === "" ? name : `${text}.${name}`;
  }, "");
}

describe("what an API server makes of manifests", { skip: noControlPlane }, () => {
  const folder = createTemporaryFolder();
  let cluster: ControlPlane | undefined;
  let api: AdminApi | undefined;
  let all: readonly Sample[] = [];
  const call: AdminApi["call"] = (...args) => (api ?? assert.fail("the control plane did not start")).call(...args);

  before(async () => {
    cluster = await startCluster("4.20", "--network", "single");
    api = await connectAdminApi(cluster);
    const { body } = await call("GET", CRDS);
    const random = createRandom(50);
    all = objectsAt(body, "items")
      .flatMap((crd) => buildSamples(crd, random))
      .map((sample, i) => ({ ...sample, file: `${String(i).padStart(4, "0")}.json` }));
  });
  after(async () => {
    api?.close();
    await cluster?.down();
  });

  async function judge(name: string, samples: readonly Sample[]): Promise<ReadonlyMap<string, Fate | undefined>> {
    await mkdir(join(folder, name));
    for (const { file, object } of samples) await writeFile(join(folder, name, file), JSON.stringify(object));
    const kubeconfig = cluster?.kubeconfig ?? "";
    const { out, err } = await runPreflight([
      "manifests",
      join(folder, name),
      "--kubeconfig",
      kubeconfig,
      "-o",
      "json",
    ]);
    assert.equal(err, "");
    return parseFates(
      out,
      samples.map(({ file }) => file),
    );
  }

  async function compare(
    name: string,
    samples: readonly Sample[],
    ask: (sample: Sample) => Promise<Fate>,
  ): Promise<void> {
    const ours = await judge(name, samples);
    const tally = { refused: 0, dropped: 0, clear: 0, unknown: 0 };
    const differences: string[] = [];
    for (const sample of samples) {
      const theirs = await ask(sample);
      const own = ours.get(sample.file);
      tally[own === undefined ? "unknown" : own.isRefused ? "refused" : own.dropped.length > 0 ? "dropped" : "clear"] +=
        1;
      if (own === undefined || JSON.stringify(own) === JSON.stringify(theirs)) continue;
      differences.push(
        `${sample.path}: ${JSON.stringify(own)}, and the API server: ${JSON.stringify(theirs)}: ${JSON.stringify(sample.object)}`,
      );
    }
    assert.deepEqual(differences, [], JSON.stringify(tally));
    assert.ok(tally.refused > 20 && tally.dropped > 5 && tally.clear > 50 && tally.unknown < 10, JSON.stringify(tally));
  }

  test("is what preflight says of each that is created", async () => {
    await compare("created", all, async ({ path, object }) => {
      const { code, body, warnings } = await call("POST", `${path}?dryRun=All&fieldValidation=Warn`, object);
      return toFate(code, body, warnings);
    });
  });

  test("is what preflight says of each that lives", async () => {
    const stored: Sample[] = [];
    for (const sample of all) if ((await call("POST", sample.path, sample.base)).code === 201) stored.push(sample);
    await compare("updated", stored, async ({ path, object }) => {
      const name = textAt(object, "metadata", "name") ?? "";
      const { code, body, warnings } = await call(
        "PATCH",
        `${path}/${name}?dryRun=All&fieldValidation=Warn`,
        object,
        MERGE,
      );
      return toFate(code, body, warnings);
    });
  });
});
