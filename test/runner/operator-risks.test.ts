import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checks as registry } from "../../src/checks/index.ts";
import type { Check, Judgement, RiskText, Unknown } from "../../src/model/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { each } from "../../src/model/read.ts";
import type { Report } from "../../src/model/report.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import type { OperatorRisks } from "../../src/runner/operator-risks.ts";
import { checkWith, clusterRunning, object, release, version } from "../support/fixtures.ts";
import { type FakeResponse, fakeReader } from "../support/fake-reader.ts";

const PODS = "/api/v1/pods";
const FEATURE_GATE = "/apis/config.openshift.io/v1/featuregates/cluster";
const CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/clusterversions.config.openshift.io";
const AS = "ClusterOperatorUpgradeable-*";

function buildRisk(name: string, liftedAs?: string): RiskText {
  return {
    name,
    effect: "broken",
    title: name,
    url: "https://example.com/",
    describe: (objects) => `${objects} will break.`,
    remediation: "Mend it.",
    ...(liftedAs === undefined ? {} : { liftedAs }),
  };
}

const buildFinding = (of: string, name: string) => ({
  risk: of,
  object: { apiVersion: "v1", kind: "Node", name },
  message: "It is broken.",
});
const BOTH = {
  findings: [buildFinding("Lifted", "a"), buildFinding("Ours", "a"), buildFinding("Lifted", "b")],
  notices: ["Zzz."],
};

function buildMixedCheck(judgement: Judgement): Check {
  return checkWith({ id: "mixed", risks: [buildRisk("Lifted", AS), buildRisk("Ours")], evaluate: () => judgement });
}

const whole = checkWith({
  id: "whole",
  risks: [buildRisk("All", "ClusterVersionOverrides"), buildRisk("AllOfIt", AS)],
  reads: () => ({ pods: each("v1/pods", () => 1) }),
  evaluate: () => ({ findings: [buildFinding("All", "a")] }),
});

type RunResult = { readonly report: Report; readonly paths: readonly string[] };

const GATE_ENABLED = [{ version: "5.0.3", enabled: [{ name: "ClusterUpdateAcceptRisks" }], disabled: [] }];

/** The CRD of a cluster whose ClusterVersion has these fields of `spec.desiredUpdate` and of `status`. */
function buildCrd(ofUpdate: JsonObject, ofStatus: JsonObject): JsonObject {
  const spec = { properties: { desiredUpdate: { properties: ofUpdate } } };
  const openAPIV3Schema = { properties: { spec, status: { properties: ofStatus } } };
  return object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "clusterversions.config.openshift.io", {
    spec: { versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }] },
  });
}

const LIST = { type: "array" };
const CRD_WITH_RISKS = buildCrd({ acceptRisks: LIST }, { conditionalUpdateRisks: LIST });

async function runCheck(
  check: Check,
  target: string,
  operatorRisks?: OperatorRisks,
  featureGates: readonly JsonObject[] = GATE_ENABLED,
  crd: FakeResponse = CRD_WITH_RISKS,
): Promise<RunResult> {
  const reader = fakeReader({
    ...clusterRunning("5.0.3"),
    [FEATURE_GATE]: object("config.openshift.io/v1", "FeatureGate", "cluster", { status: { featureGates } }),
    [CRD]: crd,
    [PODS]: [object("v1", "Pod", "p")],
  });
  const result = await runCycle({
    checks: [check],
    reader,
    target: { kind: "read", version: version(target), select: () => release(target) },
    now: new Date(0),
    signal: new AbortController().signal,
    concurrency: 4,
    checkTimeout: 5_000,
    cycleTimeout: 10_000,
    ...(operatorRisks === undefined ? {} : { operatorRisks }),
  });
  assert.ok(result.kind === "completed");
  return { report: result.report, paths: reader.paths };
}

const getOutcome = ({ report }: RunResult) => report.checks[0]?.outcome;
const getRiskNames = ({ report }: RunResult) => report.risks.map(({ name }) => name);

describe("risks that the operator reports itself", () => {
  test("are shown by default", async () => {
    assert.deepEqual(getRiskNames(await runCheck(buildMixedCheck(BOTH), "5.1.0")), ["Lifted", "Ours"]);
    assert.deepEqual(getRiskNames(await runCheck(whole, "5.1.0", "show")), ["All"]);
  });

  test("are omitted on request, and a notice gives their number and name", async () => {
    const ran = await runCheck(buildMixedCheck(BOTH), "5.1.0", "leave");
    assert.deepEqual(getRiskNames(ran), ["Ours"]);
    assert.deepEqual(getOutcome(ran), {
      kind: "risk",
      findings: [{ ...buildFinding("Ours", "a"), see: ["oc get node/a -o yaml"] }],
      notices: [
        `2 findings of Lifted are omitted: the cluster-version operator reports them itself, as ${AS}.`,
        "Zzz.",
      ],
    });
  });

  test("leave a check clear if it found nothing else", async () => {
    const ran = await runCheck(buildMixedCheck({ findings: [buildFinding("Lifted", "a")] }), "5.1.0", "leave");
    const notice = `1 finding of Lifted is omitted: the cluster-version operator reports it itself, as ${AS}.`;
    assert.deepEqual(getOutcome(ran), { kind: "clear", notices: [notice] });
    assert.deepEqual(getRiskNames(ran), []);
  });

  test("leave a check unknown if it could not complete", async () => {
    const unknowns: Unknown[] = [{ reason: "Forbidden", where: "pods", message: "no" }];
    const ran = await runCheck(
      buildMixedCheck({ findings: [buildFinding("Lifted", "a")], unknowns }),
      "5.1.0",
      "leave",
    );
    assert.deepEqual(getRiskNames(ran), ["mixedUnknown"]);
    assert.equal(getOutcome(ran)?.kind, "unknown");
  });

  test("skip a check that has no other risks, without reading anything for it", async () => {
    const ran = await runCheck(whole, "5.1.0", "leave");
    assert.deepEqual(getOutcome(ran), {
      kind: "notApplicable",
      reason: `The cluster-version operator reports this itself, as ${AS} and ClusterVersionOverrides.`,
    });
    assert.ok(!ran.paths.includes(PODS));
  });

  for (const [what, featureGates] of [
    ["that has no feature gates yet", []],
    ["with the gate off", [{ version: "5.0.3", enabled: [], disabled: [{ name: "ClusterUpdateAcceptRisks" }] }]],
    ["with the gate on for another release", [{ ...GATE_ENABLED[0], version: "5.1.0" }]],
  ] as const)
    test(`are shown for an operator ${what}, which does not report them`, async () => {
      const ran = await runCheck(buildMixedCheck(BOTH), "5.1.0", "leave", featureGates);
      assert.deepEqual(getRiskNames(ran), ["Lifted", "Ours"]);
      assert.deepEqual(getRiskNames(await runCheck(whole, "5.1.0", "leave", featureGates)), ["All"]);
    });

  for (const [what, crd] of [
    ["lacks status.conditionalUpdateRisks", buildCrd({ acceptRisks: LIST }, {})],
    ["lacks spec.desiredUpdate.acceptRisks", buildCrd({}, { conditionalUpdateRisks: LIST })],
    ["does not exist", { kind: "absent", what: "object" }],
    ["can't be read", { kind: "failed", reason: "Forbidden", message: "403 forbidden" }],
  ] as const)
    test(`are shown if the gate is on but ClusterVersion's CRD ${what}`, async () => {
      const ran = await runCheck(buildMixedCheck(BOTH), "5.1.0", "leave", GATE_ENABLED, crd);
      assert.deepEqual(getRiskNames(ran), ["Lifted", "Ours"]);
      assert.deepEqual(getRiskNames(await runCheck(whole, "5.1.0", "leave", GATE_ENABLED, crd)), ["All"]);
    });

  test("need no look at the CRD if the gate is off", async () => {
    assert.ok(!(await runCheck(whole, "5.1.0", "leave", [])).paths.includes(CRD));
  });

  test("are shown for patch updates and rollbacks, where the operator does not report them", async () => {
    for (const target of ["5.0.9", "4.23.9"]) {
      assert.deepEqual(
        getRiskNames(await runCheck(buildMixedCheck(BOTH), target, "leave")),
        ["Lifted", "Ours"],
        target,
      );
      assert.deepEqual(getRiskNames(await runCheck(whole, target, "leave")), ["All"], target);
    }
  });
});

test("every operator risk that a check names has a form that the operator uses", () => {
  const FORM = /^(ClusterOperatorUpgradeable-(\*|[a-z-]+)|AdminAck-(<gate>|ack-[45]\.\d+-[a-z0-9.-]+)|[A-Z][A-Za-z]+)$/;
  for (const { name, liftedAs } of registry.flatMap(({ risks }) => risks))
    if (liftedAs !== undefined) assert.match(liftedAs, FORM, name);
});
