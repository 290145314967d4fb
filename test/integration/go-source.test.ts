import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { type ApiClient, createApiClient } from "../../src/cluster/writer/api-client.ts";
import {
  type ClusterUpdates,
  getAcceptedRisks,
  getClusterUpdates,
  releaseOf,
} from "../../src/lift/objects/cluster-version.ts";
import { findRunningVersion } from "../../src/model/cluster-version.ts";
import { at, type JsonObject, objectAt, objectsAt, textAt, textsAt } from "../../src/model/json.ts";
import { findConditionIn } from "../../src/model/object.ts";
import { formatTime } from "../../src/model/time.ts";
import {
  type ControlPlane,
  createSmallPayload,
  noControlPlane,
  startCluster,
} from "../../verify/api-server/control-plane.ts";
import { createObject, deleteObject, patchObject } from "../../verify/api-server/objects.ts";
import { lacks } from "../../verify/kit/go-program.ts";
import { type GoSource, type SourceRequest, startGoSource } from "../../verify/kit/go-source.ts";
import { type FakeOperator, replaceLists, startOperator } from "../../verify/operator/fake-operator.ts";
import { buildUpdateLists } from "../../verify/operator/operator-model.ts";
import { prepareAccount } from "../../verify/operator/runner-process.ts";
import { changeStatus, listRiskNames, readClusterVersion } from "../../verify/operator/stage.ts";
import { nightly } from "../support/cases/sample.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const TARGET = "5.1.2";
const OTHER = "5.0.9";
const LISTS = ["availableUpdates", "conditionalUpdates", "conditionalUpdateRisks"] as const;
const MINUTE_MS = 60_000;

const CSV =
  "/apis/operators.coreos.com/v1alpha1/namespaces/openshift-operators/clusterserviceversions/demo-operator.v1.2.3";
const BUDGET = "/apis/policy/v1/namespaces/demo-a/poddisruptionbudgets/tight";
const ACKS = "/api/v1/namespaces/openshift-config/configmaps/admin-acks";
const CAPABILITIES_OF_SET = ["ClusterAPI", "CompatibilityRequirements"];
const GATE = "ack-5.0-kube-1.37-api-removals";

describe(
  "the whole chain, with an operator that reads the document by the Go reader",
  {
    skip: noControlPlane || lacks("go", "version") || nightly,
  },
  () => {
    const folder = createTemporaryFolder();
    const document = join(folder, "preflight-v1.json");
    const requestedAt = formatTime(new Date());
    let cluster: ControlPlane;
    let api: ApiClient;
    let close: () => void;
    let source: GoSource;
    let operator: FakeOperator;
    let payload: string;
    let account: string;
    let first: JsonObject;
    /** Stands for spec.desiredUpdate with the mode Preflight, which no CRD has yet. */
    let requested: string | undefined;
    let failure: string | undefined;

    before(async () => {
      cluster = await startCluster("5.0", "--feature-set", "DevPreviewNoUpgrade");
      const connection = await connect({ env: {}, kubeconfig: cluster.kubeconfig });
      close = () => connection.close();
      api = createApiClient(connection, { userAgent: "operator" });
      payload = await createSmallPayload(join(folder, "payload"), "5.1", TARGET);
      account = await prepareAccount(cluster, folder);
      source = startGoSource(document);
      await leaveFeatureSet();
      let offers = getClusterUpdates(await readClusterVersion(api));
      const buildStatus = async (now: JsonObject): Promise<JsonObject> => {
        const answer = await source.ask(buildRequest(now, offers), listReleases(offers).map(versionIn));
        ({ failure } = answer);
        const accepted = getAcceptedRisks(now);
        const own = { source: findRunningVersion(now) ?? "", offers, alerts: [], upgradeable: [], accepted };
        const lists = buildUpdateLists({ ...own, preflight: answer }, getClusterUpdates(now), new Date());
        return replaceLists(objectAt(now, "status"), lists);
      };
      operator = await startOperator(api, { buildStatus, intervalMs: MINUTE_MS });
      await operator.sync();
      first = await readClusterVersion(api);
      // With the times of the operator's own risks, which would begin anew at each sync.
      offers = getClusterUpdates(first);
    });
    after(async () => {
      await operator?.stop();
      await source?.stop();
      close?.();
      await cluster?.down();
    });

    /** The set's CRDs have the fields of risks, but a cluster with it can't be updated. */
    async function leaveFeatureSet(): Promise<void> {
      const gates = "/apis/config.openshift.io/v1/featuregates";
      const kind = { apiVersion: "config.openshift.io/v1", kind: "FeatureGate" };
      await deleteObject(cluster, `${gates}/cluster`);
      await createObject(cluster, gates, { ...kind, metadata: { name: "cluster" }, spec: {} });
      await changeStatus(api, (status) => ({ ...status, capabilities: withoutSet(objectAt(status, "capabilities")) }));
    }

    function buildRequest(now: JsonObject, offers: ClusterUpdates): SourceRequest | undefined {
      if (requested === undefined) return undefined;
      const image = textAt(
        listReleases(offers).find((one) => versionIn(one) === requested),
        "image",
      );
      return {
        source: findRunningVersion(now) ?? "",
        target: requested,
        image: image ?? assert.fail(requested),
        requestedAt,
      };
    }

    /** A cycle of the runner, with the shipped rights. */
    const run = async (): Promise<JsonObject> => {
      const flags = ["--format=preflight-v1-json", "--interval", "0", "--document", document];
      const { code, err } = await runPreflight([...flags, "--target", payload, "--kubeconfig", account]);
      assert.equal(code, 0, err);
      return JSON.parse(readFileSync(document, "utf8"));
    };
    const sync = async (): Promise<JsonObject> => {
      await operator.sync();
      return objectAt(await readClusterVersion(api), "status");
    };
    const assertOnlyOwn = (status: JsonObject): void => {
      for (const list of LISTS) assert.deepEqual(status[list], at(first, "status", list), list);
    };

    test("without a document, the reader says so, and the operator's own lists stay", async () => {
      requested = TARGET;
      assertOnlyOwn(await sync());
      assert.match(failure ?? "", /^DocumentMissing: /);
    });

    test("shows the document's risks with their times on the target alone", async () => {
      const written = await run();
      const names = objectsAt(written, "risks").map(nameIn);
      assert.ok(names.includes("OperatorIncompatibleWithTarget"), names.join());
      const status = await sync();
      assert.equal(failure, undefined);
      const own = getClusterUpdates(first);
      const shown = getClusterUpdates({ status });
      assert.deepEqual(
        shown.available,
        own.available.filter((one) => versionIn(one) !== TARGET),
      );
      const isTarget = (update: JsonObject): boolean => versionIn(releaseOf(update)) === TARGET;
      assert.deepEqual(
        shown.conditional.filter((one) => !isTarget(one)),
        own.conditional,
      );
      const risks = objectsAt(shown.conditional.find(isTarget), "risks");
      assert.deepEqual(risks.map(summarize), objectsAt(written, "risks").map(summarize).toSorted(byName));
      for (const risk of risks) assert.match(textAt(risk, "message") ?? "", /^5\.0\.8 -> 5\.1\.2: /);
      const union = objectsAt(status, "conditionalUpdateRisks").map(nameIn);
      assert.deepEqual(
        union,
        [...objectsAt(first, "status", "conditionalUpdateRisks").map(nameIn), ...names].toSorted(),
      );
      assert.equal(readRecommended(status)?.["status"], "False");
    });

    test("keeps the risks and their times through a later document, and through one that is broken", async () => {
      const before = await sync();
      const text = JSON.stringify(await run());
      const again = await sync();
      writeFileSync(document, text.slice(0, -1));
      const broken = await sync();
      assert.match(failure ?? "", /^DocumentInvalid: /);
      writeFileSync(document, text);
      for (const status of [again, broken])
        for (const list of LISTS) assert.deepEqual(status[list], before[list], list);
    });

    test("shows nothing for another target or without a request, and the risks again with it", async () => {
      const before = await sync();
      requested = OTHER;
      assertOnlyOwn(await sync());
      assert.match(failure ?? "", /^OtherTarget: /);
      requested = undefined;
      assertOnlyOwn(await sync());
      assert.equal(failure, undefined);
      requested = TARGET;
      assert.deepEqual(listRiskNames(await sync(), TARGET), listRiskNames(before, TARGET));
    });

    test("recommends the target once each of its risks is accepted, and updates to nothing", async () => {
      const [last = "", ...others] = listRiskNames(await sync(), TARGET) ?? [];
      const accept = async (...words: readonly string[]): Promise<JsonObject> => {
        const ended = await runPreflight(["accept", ...words, "--kubeconfig", cluster.kubeconfig]);
        assert.equal(ended.code, 0, ended.err);
        return sync();
      };
      assert.equal(readRecommended(await accept(others.join()))?.["status"], "False");
      const status = await accept(last);
      const { status: isRecommended, reason } = readRecommended(status) ?? {};
      assert.deepEqual([isRecommended, reason], ["True", "AllExposedRisksAccepted"]);
      assert.ok(getClusterUpdates({ status }).available.map(versionIn).includes(TARGET));
      assert.deepEqual(listRiskNames(status, TARGET)?.toSorted(), [last, ...others].toSorted());
      assert.equal(readRecommended(await accept("--clear"))?.["status"], "False");
      assert.deepEqual(operator.updates, []);
    });

    test("takes the risks back once the faults are mended", async () => {
      for (const path of [CSV, BUDGET]) await deleteObject(cluster, path);
      await patchObject(cluster, ACKS, { data: { [GATE]: "true" } });
      const { complete, risks } = await run();
      assert.deepEqual([complete, risks], [true, []]);
      assertOnlyOwn(await sync());
    });
  },
);

/** ClusterVersion's capabilities without those that only the feature set has. */
function withoutSet(capabilities: JsonObject): JsonObject {
  const lists = Object.keys(capabilities).map((list) => {
    const names = textsAt(capabilities, list).filter((name) => !CAPABILITIES_OF_SET.includes(name));
    return [list, names] as const;
  });
  return Object.fromEntries(lists);
}

const nameIn = (risk: JsonObject): string => textAt(risk, "name") ?? "";
const versionIn = (release: JsonObject): string => textAt(release, "version") ?? "";
const byName = (a: JsonObject, b: JsonObject): number => (nameIn(a) < nameIn(b) ? -1 : 1);

function listReleases({ available, conditional }: ClusterUpdates): readonly JsonObject[] {
  return [...available, ...conditional.map(releaseOf)];
}

/** What the document says of a risk that ClusterVersion shows as it is. */
function summarize(risk: JsonObject): JsonObject {
  const { name = "", url = "" } = risk;
  const { status = "", lastTransitionTime = "" } = findConditionIn(risk, "Applies") ?? {};
  return { name, url, status, lastTransitionTime };
}

function readRecommended(status: JsonObject): JsonObject | undefined {
  const update = objectsAt(status, "conditionalUpdates").find((one) => versionIn(releaseOf(one)) === TARGET);
  return findConditionIn(update, "Recommended");
}
