import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Json, type JsonObject, at, objectAt, textAt } from "../../src/model/json.ts";
import { type AdminApi, type AdminResponse, connectAdminApi } from "../../verify/api-server/admin-api.ts";
import { type ControlPlane, noControlPlane, startKubernetes } from "../../verify/api-server/control-plane.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import {
  CHANGES,
  type CrdChange,
  GROUP,
  PREDICTIONS,
  buildKind,
  buildMovedStorage,
} from "../../verify/play/crd-changes.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const MERGE = "application/merge-patch+json";
const APPLY = "application/apply-patch+yaml";
const SEEN_MS = 1_000;
/** How the stored objects were written, which decides whose managed fields they have. */
const OBJECTS = ["replaced", "patched", "applied"] as const;

type FindingJson = {
  readonly risk: string;
  readonly object: { readonly kind: string; readonly name: string };
  readonly effect?: string;
};

function buildObject(change: string, name: string, spec: JsonObject, version: string): JsonObject {
  return { apiVersion: `${GROUP}/${version}`, kind: buildKind(change), metadata: { namespace: "default", name }, spec };
}

function pathOf(change: string, version: string, name = ""): string {
  return `/apis/${GROUP}/${version}/namespaces/default/${change}s${name === "" ? "" : `/${name}`}`;
}

type Writes = Readonly<Record<"create" | "replace" | "patch" | "apply" | "applyOther", AdminResponse>>;

function passes({ code }: AdminResponse): boolean {
  return code < 300;
}

function ofObjects([risk = ""]: readonly string[]): boolean {
  return risk.startsWith("CustomResource");
}

function changeOf(name: string): CrdChange {
  return CHANGES.find((change) => change.name === name) ?? assert.fail(`there is no change ${name}`);
}

describe("writes after a CRD was replaced", { skip: noControlPlane }, () => {
  let cluster: ControlPlane | undefined;
  let api: AdminApi | undefined;
  const folder = createTemporaryFolder();

  const call: AdminApi["call"] = (...args) => (api ?? assert.fail("the control plane did not start")).call(...args);
  const must = async (...args: Parameters<AdminApi["call"]>): Promise<JsonObject> => {
    const { code, body } = await call(...args);
    assert.ok(code < 300, `${args[0]} ${args[1]}: ${code} ${textAt(body, "message")}`);
    return body;
  };
  const apply = (change: string, name: string, spec: JsonObject, version: string, query: string) =>
    call(
      "PATCH",
      `${pathOf(change, version, name)}?force=true&${query}`,
      buildObject(change, name, spec, version),
      APPLY,
    );

  async function store({ name, value, written }: CrdChange): Promise<void> {
    for (const object of OBJECTS) {
      const full = buildObject(name, object, { field: value }, written);
      const path = pathOf(name, written, object);
      if (object === "applied") {
        const applied = (spec: JsonObject, manager: string) =>
          apply(name, object, spec, written, `fieldManager=${manager}`);
        await eventually(async () => assert.ok(passes(await applied({ field: value }, "one"))));
        assert.ok(passes(await applied({ other: "o" }, "two")));
        continue;
      }
      const empty = object === "patched" ? buildObject(name, object, {}, written) : full;
      await eventually(async () => void (await must("POST", pathOf(name, written), empty)));
      if (object === "patched") await must("PATCH", path, { spec: { field: value } }, MERGE);
      else await must("PUT", path, { ...(await must("GET", path)), spec: { field: value, other: "o" } });
    }
  }

  /** Sends every kind of write, and persists none. */
  async function write({ name, value }: CrdChange, object: string): Promise<Writes> {
    const path = pathOf(name, "v1", object);
    const dryRun = "dryRun=All";
    const created = buildObject(name, "new", { field: value }, "v1");
    const label = { metadata: { labels: { touched: "yes" } } };
    const { body: read } = await call("GET", path);
    const metadata = { ...objectAt(read, "metadata"), ...label.metadata };
    return {
      create: await call("POST", `${pathOf(name, "v1")}?${dryRun}`, created),
      replace: await call("PUT", `${path}?${dryRun}`, { ...read, metadata }),
      patch: await call("PATCH", `${path}?${dryRun}`, label, MERGE),
      apply: await apply(name, object, { field: value }, "v1", `fieldManager=one&${dryRun}`),
      applyOther: await apply(name, object, { other: "p" }, "v1", `fieldManager=two&${dryRun}`),
    };
  }

  async function replaceCrd(name: string, crd: JsonObject): Promise<AdminResponse> {
    const path = `${CRDS}/${name}s.${GROUP}`;
    const resourceVersion = textAt(await must("GET", path), "metadata", "resourceVersion") ?? "";
    return call("PUT", path, { ...crd, metadata: { ...objectAt(crd, "metadata"), resourceVersion } });
  }

  before(async () => {
    await mkdir(join(folder, "crds"));
    for (const { name, after: crd } of CHANGES)
      await writeFile(join(folder, "crds", `${name}.json`), JSON.stringify(crd));
    cluster = await startKubernetes();
    api = await connectAdminApi(cluster);
    for (const { before: crd } of CHANGES) await must("POST", CRDS, crd);
    for (const change of CHANGES) await store(change);
  });
  after(async () => {
    api?.close();
    await cluster?.down();
  });

  test("are predicted by crd-skew", async () => {
    const args = ["check", "-o", "json", "--kubeconfig", cluster?.kubeconfig ?? "", "--crds", join(folder, "crds")];
    const { out } = await runPreflight(args);
    const { checks }: { readonly checks: readonly { readonly findings: readonly FindingJson[] }[] } = JSON.parse(out);
    const findings = checks.flatMap((check) => check.findings);
    for (const { name, effect } of CHANGES) {
      const { risks, effects } = PREDICTIONS[effect];
      const isOwn = ({ object }: FindingJson): boolean =>
        object.kind === buildKind(name) || object.name === `${name}s.${GROUP}`;
      const own = findings.filter(isOwn);
      assert.deepEqual([...new Set(own.map(({ risk }) => risk))].toSorted(), risks, name);
      assert.deepEqual([...new Set(own.map((finding) => finding.effect))].toSorted(), effects, name);
      const objects = new Set(own.map(({ object }) => object.name));
      assert.equal(objects.size, ofObjects(risks) ? OBJECTS.length : Math.min(risks.length, 1), name);
    }
  });

  test("pass or fail as predicted", async () => {
    for (const { name, effect, after: crd } of CHANGES)
      assert.equal((await replaceCrd(name, crd)).code, PREDICTIONS[effect].isRefused ? 422 : 200, name);
    await eventually(async () => assert.ok(!passes((await write(changeOf("typed"), "replaced")).applyOther)));
    await eventually(async () => assert.ok(!passes((await write(changeOf("removed"), "replaced")).applyOther)));
    for (const change of CHANGES)
      for (const object of OBJECTS) {
        const writes = Object.entries(await write(change, object));
        const passing = Object.fromEntries(writes.map(([kind, answer]) => [kind, passes(answer)]));
        assert.deepEqual(passing, PREDICTIONS[change.effect].passing, `${change.name} ${object}`);
      }
  });

  test("leave an object that can't be read, which takes the list of its kind with it", async () => {
    const requests = [
      ["GET", `${pathOf("text", "v1")}?limit=500`],
      ["GET", pathOf("text", "v1", "replaced")],
      ["DELETE", pathOf("text", "v1", "replaced")],
    ] as const;
    for (const [method, path] of requests) assert.equal((await call(method, path)).code, 500, `${method} ${path}`);
  });

  test("pass again after what preflight recommends", async () => {
    const typed = changeOf("typed");
    const removed = changeOf("removed");
    await must("PATCH", pathOf("typed", "v1", "applied"), { spec: { field: 5 } }, MERGE);
    assert.ok(passes((await write(typed, "applied")).applyOther));
    for (const object of OBJECTS) {
      await must("PATCH", pathOf("removed", "v1", object), { metadata: { labels: { touched: "yes" } } }, MERGE);
      assert.ok(passes((await write(removed, object)).apply), object);
    }
  });

  test("are possible under a CRD without a stored version after what preflight recommends", async () => {
    const stored = changeOf("stored");
    const rewrite = async (object: string): Promise<unknown> =>
      must("PUT", pathOf("stored", "v1", object), await must("GET", pathOf("stored", "v1", object)));
    assert.ok(passes(await replaceCrd("stored", buildMovedStorage("stored"))));
    // An object that is rewritten before this API server has seen the change would keep its stored version.
    await sleep(SEEN_MS);
    for (const object of OBJECTS) await rewrite(object);
    await must("PATCH", `${CRDS}/storeds.${GROUP}/status`, { status: { storedVersions: ["v1"] } }, MERGE);
    assert.ok(passes(await replaceCrd("stored", stored.after)));
    await eventually(async () => assert.ok(!passes((await write(stored, "applied")).applyOther)));
    await must("PATCH", pathOf("stored", "v1", "applied"), { metadata: { labels: { touched: "yes" } } }, MERGE);
    assert.ok(passes((await write(stored, "applied")).applyOther));
  });

  test("delete a field that the CRD no longer has, which is only hidden before", async () => {
    const read = async (object: string): Promise<Json | undefined> =>
      at(await must("GET", pathOf("dropped", "v1", object)), "spec", "field");
    assert.equal(await read("patched"), undefined);
    const strict = `${pathOf("dropped", "v1")}?dryRun=All&fieldValidation=Strict`;
    assert.equal((await call("POST", strict, buildObject("dropped", "new", { field: "B" }, "v1"))).code, 400);
    await must("PATCH", pathOf("dropped", "v1", "patched"), { metadata: { labels: { touched: "yes" } } }, MERGE);
    await replaceCrd("dropped", changeOf("dropped").before);
    await eventually(async () => assert.equal(await read("replaced"), "B"));
    assert.equal(await read("patched"), undefined);
  });
});
