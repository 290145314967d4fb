import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checks as registry } from "../../src/checks/index.ts";
import type { Check, Judgement, RiskText, Unknown } from "../../src/model/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Report } from "../../src/model/report.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import type { OperatorRisks } from "../../src/runner/updates/update.ts";
import { VERSION_PATH, checkWith, object, release, version } from "../support/fixtures.ts";
import { fakeReader } from "../../verify/api-server/fake-reader.ts";

const UPGRADEABLE = "ClusterOperatorUpgradeable-*";
const AT_LIMIT = "PodDisruptionBudgetAtLimit";

function buildRisk(name: string, liftedAs?: string): RiskText {
  return {
    name,
    effect: "broken",
    title: name,
    url: "https://example.com/",
    describe: (objects) => `${objects} will break.`,
    remediation: "Repair it.",
    ...(liftedAs === undefined ? {} : { knownAs: { liftedAs } }),
  };
}

const buildFinding = (risk: string, kind: string, name: string) => ({
  risk,
  object: { apiVersion: "v1", kind, name, ...(kind === "PodDisruptionBudget" ? { namespace: "demo" } : {}) },
  message: "It is broken.",
});
const STORAGE = buildFinding("Lifted", "ClusterOperator", "storage");
const ETCD = buildFinding("Lifted", "ClusterOperator", "etcd");
const OURS = buildFinding("Ours", "Node", "a");
const WEB = buildFinding("AtLimit", "PodDisruptionBudget", "web");

function buildCheck(judgement: Judgement): Check {
  const risks = [
    buildRisk("Lifted", UPGRADEABLE),
    buildRisk("AtLimit", AT_LIMIT),
    buildRisk("Ours"),
    buildRisk("Applying", "ConditionalUpdateRisk"),
  ];
  return checkWith({ id: "mixed", risks, evaluate: () => judgement });
}

const applies = (status: string, message = ""): JsonObject => ({ type: "Applies", status, reason: "Match", message });

function listed(name: string, more: JsonObject = { conditions: [applies("True")] }): JsonObject {
  return {
    name,
    message: `${name} is broken.`,
    url: "https://example.com/",
    matchingRules: [{ type: "Always" }],
    ...more,
  };
}

const STORAGE_RISK = "ClusterOperatorUpgradeable-storage";

/** ClusterVersion's status with one conditional update. */
function offer(risks: readonly JsonObject[], more: JsonObject = {}, target = "5.1.0"): JsonObject {
  return { conditionalUpdates: [{ release: { version: target, image: "example" }, risks }], ...more };
}

async function runCheck(judgement: Judgement, status: JsonObject, operatorRisks?: OperatorRisks): Promise<Report> {
  const history = [{ state: "Completed", version: "5.0.3" }];
  const clusterVersion = object("config.openshift.io/v1", "ClusterVersion", "version", {
    status: { history, ...status },
  });
  const result = await runCycle({
    selection: { checks: [buildCheck(judgement)], ...(operatorRisks === undefined ? {} : { operatorRisks }) },
    reader: fakeReader({ [VERSION_PATH]: clusterVersion }),
    target: { kind: "read", version: version("5.1.0"), select: () => release("5.1.0") },
    now: new Date(0),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 5_000, cycleTimeout: 10_000 },
  });
  assert.ok(result.kind === "completed");
  return result.report;
}

const getOutcome = ({ checks }: Report) => checks[0]?.outcome;
const getRiskNames = ({ risks }: Report) => risks.map(({ name }) => name);

describe("risks that the operator shows for this update", () => {
  test("are reported by default", async () => {
    const status = offer([listed(STORAGE_RISK)]);
    assert.deepEqual(getRiskNames(await runCheck({ findings: [STORAGE] }, status)), ["Lifted"]);
    assert.deepEqual(getRiskNames(await runCheck({ findings: [STORAGE] }, status, "show")), ["Lifted"]);
  });

  test("are left to it on request, and the outcome says where they are", async () => {
    const report = await runCheck({ findings: [STORAGE] }, offer([listed(STORAGE_RISK)]), "leave");
    assert.deepEqual(getOutcome(report), {
      kind: "clear",
      notices: [
        `1 finding of Lifted is omitted: the cluster-version operator reports it itself (ClusterVersion version, status.conditionalUpdates of 5.1.0, risk ${STORAGE_RISK}).`,
      ],
    });
  });

  test("are left one by one: another operator's and our own stay", async () => {
    const report = await runCheck({ findings: [STORAGE, ETCD, OURS] }, offer([listed(STORAGE_RISK)]), "leave");
    assert.deepEqual(getRiskNames(report), ["Lifted", "Ours"]);
    const outcome = getOutcome(report);
    assert.ok(outcome?.kind === "risk");
    assert.deepEqual(
      outcome.findings.map((finding) => finding.object.name),
      ["etcd", "a"],
    );
    assert.equal(outcome.notices.length, 1);
  });

  test("leave a check unknown if it could not complete", async () => {
    const unknowns: Unknown[] = [{ reason: "Forbidden", where: "pods", message: "no" }];
    const report = await runCheck({ findings: [STORAGE], unknowns }, offer([listed(STORAGE_RISK)]), "leave");
    assert.deepEqual(getRiskNames(report), ["mixedUnknown"]);
    assert.equal(getOutcome(report)?.kind, "unknown");
  });

  test("may be defined in conditionalUpdateRisks only", async () => {
    const status = {
      conditionalUpdates: [{ release: { version: "5.1.0" }, riskNames: [STORAGE_RISK] }],
      conditionalUpdateRisks: [listed(STORAGE_RISK)],
    };
    assert.deepEqual(getRiskNames(await runCheck({ findings: [STORAGE] }, status, "leave")), []);
  });

  for (const [what, about, isLeft] of [
    ["names the budget", "Namespace=demo, PodDisruptionBudget=web. The budget is at its limit.", true],
    ["names another budget", "Namespace=demo, PodDisruptionBudget=db. The budget is at its limit.", false],
    ["names another budget of a longer name", "Namespace=demo, PodDisruptionBudget=web-2. It is at its limit.", false],
  ] as const)
    test(`an alert that ${what} is ${isLeft ? "" : "not "}left`, async () => {
      const status = offer([listed(AT_LIMIT, { conditions: [applies("True", about)] })]);
      assert.deepEqual(getRiskNames(await runCheck({ findings: [WEB] }, status, "leave")), isLeft ? [] : ["AtLimit"]);
    });

  test("an alert that is found as a risk of the update is left, whatever object it names", async () => {
    const alert = applies("True", "Namespace=demo, Pod=web. The pod waits.");
    const status = offer([listed("KubeContainerWaiting", { conditions: [alert] })]);
    const found = {
      ...buildFinding("Applying", "ClusterVersion", "version"),
      detail: { name: "KubeContainerWaiting" },
    };
    assert.deepEqual(getRiskNames(await runCheck({ findings: [found] }, status, "leave")), []);
  });
});

describe("a risk is ours if ClusterVersion", () => {
  const unevaluated = listed(STORAGE_RISK, {});
  for (const [what, status] of [
    ["lists no updates", {}],
    ["lists the target without risks", { availableUpdates: [{ version: "5.1.0", image: "example" }] }],
    ["lists the risk for another update", offer([listed(STORAGE_RISK)], {}, "5.1.1")],
    ["lists another operator's risk", offer([listed("ClusterOperatorUpgradeable-dns")])],
    ["doesn't say whether the risk applies", offer([unevaluated])],
    ["says that the risk doesn't apply", offer([listed(STORAGE_RISK, { conditions: [applies("False")] })])],
    [
      "shows what a controller of ours brought there",
      offer([listed(STORAGE_RISK, { message: "5.0.3 -> 5.1.0: It is broken.", conditions: [applies("True")] })]),
    ],
    [
      "shows what an alert of ours brought there",
      offer([
        listed(STORAGE_RISK, { message: "Preflight of 5.0.3 -> 5.1.0: It is broken.", conditions: [applies("True")] }),
      ]),
    ],
  ] as const)
    test(what, async () => {
      assert.deepEqual(getRiskNames(await runCheck({ findings: [STORAGE] }, status, "leave")), ["Lifted"]);
    });
});

test("every operator risk that a check names has a form that the operator uses", () => {
  const FORM = /^(ClusterOperatorUpgradeable-(\*|[a-z-]+)|AdminAck-(<gate>|ack-[45]\.\d+-[a-z0-9.-]+)|[A-Z][A-Za-z]+)$/;
  for (const { name, knownAs: { liftedAs } = {} } of registry.flatMap(({ risks }) => risks))
    if (liftedAs !== undefined) assert.match(liftedAs, FORM, name);
});
