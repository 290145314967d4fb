import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { judgeTargetCrds } from "../../../../src/checks/crd-skew/refused-crds.ts";
import { type Refusal, judgeDefinition } from "../../../../src/schema/crd/index.ts";
import { parseCrd } from "../../../../src/model/crd.ts";
import { type JsonObject, listAt, textAt } from "../../../../src/model/json.ts";
import { type AdminApi, type AdminResponse, connectAdminApi } from "../../../../verify/api-server/admin-api.ts";
import {
  type ControlPlane,
  SHARED,
  noControlPlane,
  startKubernetes,
} from "../../../../verify/api-server/control-plane.ts";
import { type EtcdStore, connectEtcd } from "../../../../verify/api-server/etcd-store.ts";
import { type Random, createRandom } from "../../../../verify/schema/random/random.ts";
import { disagreement } from "../../../../verify/schema/definition/compare.ts";
import { type Case, readDefinitions, smallest } from "../../../../verify/schema/definition/release-crds.ts";
import { type Mutable, mutable, withoutDescriptions } from "../../../../verify/schema/definition/schemas.ts";
import { createInstalled, createUpdate } from "../../../support/schema/crd/update-cases.ts";

// PREFLIGHT_UPDATES=5000 PREFLIGHT_RELEASES=all PREFLIGHT_SEED=7 node --test test/schema/crd/definition/updates.test.ts
const COUNT = Number(process.env["PREFLIGHT_UPDATES"] ?? 150);
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
const RELEASES = process.env["PREFLIGHT_RELEASES"] ?? "4.12,4.18,5.1";
const UPDATES_OF_ONE = 10;
const TOLD = 25;
const PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const CERTIFICATES = ["ca.crt", "apiserver.crt", "admin.crt"];

/** `tolerated`: accepted updates that would be refused as new CRDs. */
type Tally = { judged: number; refused: number; tolerated: number; readonly failed: string[] };

describe("an update of a CRD", { skip: noControlPlane }, () => {
  let cluster: ControlPlane | undefined;
  let api: AdminApi | undefined;
  let etcd: EtcdStore | undefined;
  let certificates: readonly string[] = [];

  before(async () => {
    cluster = await startKubernetes();
    const { env } = cluster;
    [api, etcd] = [await connectAdminApi(cluster), connectEtcd(cluster)];
    const read = (name: string): Promise<string> => readFile(join(env["ENVTEST_DIR"] ?? "", "pki", name), "utf8");
    certificates = await Promise.all(CERTIFICATES.map(read));
  });
  after(async () => {
    api?.close();
    await cluster?.down();
  });

  test("is refused exactly if the API server refuses it", async (t) => {
    assert.ok(api && etcd);
    const definitions = readDefinitions(SHARED, RELEASES);
    const texts = definitions.map(({ definition }) => JSON.stringify(withoutDescriptions(definition)));
    const tally: Tally = { judged: 0, refused: 0, tolerated: 0, failed: [] };
    for (let i = 0; tally.judged < COUNT; i++) {
      const random = createRandom(SEED * 1_000_003 + i);
      const place = smallest([random.below(texts.length), random.below(texts.length)], texts);
      const base: Mutable = JSON.parse(texts[place] ?? "{}");
      const one: Case = { name: `${definitions[place]?.name} ${i}`, definition: base };
      await compareUpdates(one, certificates, { api, etcd }, random, tally);
    }
    t.diagnostic(
      `${tally.judged} updates, ${tally.refused} refused, ${tally.tolerated} accepted with a fault that the installed CRD has too, seed ${SEED}`,
    );
    assert.equal(tally.failed.length, 0, `${tally.failed.length} differ\n${tally.failed.slice(0, TOLD).join("\n")}`);
    assert.ok(tally.refused > COUNT / 10 && tally.refused < COUNT * 0.9);
    if (COUNT >= 1_000) assert.ok(tally.tolerated > 0);
  });
});

type Servers = { readonly api: AdminApi; readonly etcd: EtcdStore };

/** Stores a CRD as it is, which no request could, and compares the verdicts on updates of it that are not persisted. */
async function compareUpdates(
  { name, definition: base }: Case,
  certificates: readonly string[],
  { api, etcd }: Servers,
  random: Random,
  tally: Tally,
): Promise<void> {
  const planted = createInstalled(base, certificates, random);
  const own = textAt(planted, "metadata", "name") ?? "";
  const key = `/registry/apiextensions.k8s.io/customresourcedefinitions/${own}`;
  mutable(planted["metadata"] ?? {})["uid"] = "11111111-2222-4333-8444-555555555555";
  await etcd.put(key, planted);
  for (let i = 0; i < UPDATES_OF_ONE; i++) {
    const { code, body: installed } = await api.call("GET", `${PATH}/${own}`);
    if (code !== 200) break;
    const [changes, definition] = createUpdate(structuredClone(installed), base, certificates, random);
    const answer = await api.call("PUT", `${PATH}/${own}?dryRun=All`, asUpdate(definition, installed));
    if (answer.code === 409) continue;
    compare(`${name} (${changes})`, definition, installed, answer, tally);
  }
  await etcd.remove([key]);
}

function asUpdate(definition: JsonObject, installed: JsonObject): JsonObject {
  const { resourceVersion = "", uid = "" } = mutable(installed["metadata"] ?? {});
  return { ...definition, metadata: { ...mutable(definition["metadata"] ?? {}), resourceVersion, uid } };
}

function compare(
  name: string,
  definition: JsonObject,
  installed: JsonObject,
  { code, body }: AdminResponse,
  tally: Tally,
): void {
  const verdict = judgeDefinition(definition, installed);
  const isValid = code === 200;
  tally.judged++;
  if (!isValid) tally.refused++;
  const asNew = judgeDefinition(definition).refusals;
  if (isValid && asNew.length > 0) tally.tolerated++;
  const error = listAt(body, "details", "causes").map((cause) => `${textAt(cause, "field") ?? ""}: Invalid value`);
  const difference =
    code === 200 || code === 400 || code === 422
      ? disagreement(verdict, { valid: isValid, error: error.join(", ") })
      : `the API server answered ${code}`;
  if (difference !== undefined)
    tally.failed.push(`${name}\n  ${difference}\n  ${textAt(body, "message")?.slice(0, 600)}`);
  else if (!isSameInCheck(definition, installed, verdict.refusals)) tally.failed.push(`${name}\n  crd-skew differs`);
}

/** What crd-skew leaves out because the installed CRD was accepted must not change its verdict. */
function isSameInCheck(definition: JsonObject, installed: JsonObject, refusals: readonly Refusal[]): boolean {
  const target = parseCrd(definition);
  const crd = parseCrd(installed);
  if (target === undefined || crd === undefined || judgeDefinition(installed).refusals.length > 0) return true;
  const own = ({ path, reason }: Refusal): boolean =>
    path.startsWith("status.") || reason.startsWith("can't be changed: ");
  const [verdict] = judgeTargetCrds([target], [crd], 36);
  return verdict?.verdict.refusals.length === refusals.filter((refusal) => !own(refusal)).length;
}
