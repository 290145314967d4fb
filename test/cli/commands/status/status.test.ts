import assert from "node:assert/strict";
import { test } from "node:test";
import { getStatusExitCode, type StatusInput } from "../../../../src/cli/commands/request/status-facts.ts";
import { formatStatusJson } from "../../../../src/cli/commands/request/status.ts";
import { formatStatus } from "../../../../src/cli/commands/request/status-text.ts";
import {
  buildHistoryEntry,
  buildHistoryConfigMap,
  addHistoryEntry,
  buildResultConfigMap,
} from "../../../../src/lift/preflight-result.ts";
import { buildRequestEdit } from "../../../../src/lift/objects/preflight-request.ts";
import { type JsonObject, objectAt } from "../../../../src/model/json.ts";
import {
  ALL_FIELDS,
  clusterVersion,
  buildSampleDocument,
  conditional,
  foreign,
  liftSample,
  NOW,
  risk,
  withStatus,
} from "../../../../verify/operator/status-sample.ts";

const DOCUMENT = buildSampleDocument([risk("A"), risk("B")]);
const DEPLOYMENT: JsonObject = { metadata: { creationTimestamp: "2026-03-01T11:00:00Z" } };
const BASE_INPUT = { controllerPresence: "yes", operator: { kind: "absent" }, now: NOW } as const;
const CREATED_REQUEST = buildRequestEdit(undefined, { target: { kind: "version", version: "5.2.0" } });

function formatScenario(accepted: readonly string[], change: Partial<StatusInput> = {}, document = DOCUMENT): string {
  const before = clusterVersion({ accepted });
  const result = liftSample({ clusterVersion: before, document });
  const entry = buildHistoryEntry(document, accepted) ?? assert.fail();
  return formatStatus({
    ...BASE_INPUT,
    clusterVersion: withStatus(before, result),
    ...(CREATED_REQUEST.kind === "create" ? { request: CREATED_REQUEST.object } : {}),
    result: buildResultConfigMap(result, document),
    document: { kind: "valid", document },
    history: buildHistoryConfigMap(addHistoryEntry([], entry)),
    deployment: DEPLOYMENT,
    ...change,
  });
}

test("status shows the running check, the risks, which of them are accepted, and earlier results", () => {
  const text = formatScenario(["A"]);
  assert.match(
    text,
    /^A preflight from 5\.0\.3 to 5\.2\.0 is requested\.\nThe runner was deployed at 2026-03-01T11:00:00Z\.\nThe last document is from 2026-03-01T11:55:00Z: completed, and valid until 2026-03-01T12:10:00Z\.\n/,
  );
  assert.match(
    text,
    /^PreflightRunning=True:\n\n {2}Reason: Checking\n {2}Since: \S+\n {2}Message: 5\.0\.3 -> 5\.2\.0: /m,
  );
  assert.match(text, /^ {2}NAME {3}APPLIES {3}ACCEPTED {3}SINCE {18}SOURCE\n {2}A {6}True {6}yes /m);
  assert.match(text, /^ {2}B {6}True {6}no {9}2026-02-01T00:00:00Z {3}document$/m);
  assert.match(
    text,
    /^Not accepted: B\nFollow the messages, or accept the risks that you can live with: preflight accept B$/m,
  );
  assert.match(text, /^ {2}2026-03-01T11:55:00Z {3}5\.0\.3 {3}5\.2\.0 {3}yes {8}A \(accepted\), B$/m);
  assert.match(formatScenario(["A", "B"]), /^All risks that apply are accepted\.$/m);
});

test("status shows that nothing is requested, and why a request is invalid", () => {
  assert.equal(
    formatStatus({ ...BASE_INPUT, clusterVersion: clusterVersion() }),
    "No preflight is requested. The cluster runs 5.0.3.\n",
  );
  const wrong = formatStatus({ ...BASE_INPUT, clusterVersion: clusterVersion(), request: { data: { to: "five" } } });
  assert.match(wrong, /^The ConfigMap preflight-request is not valid: to: "five" .*\.$/m);
});

const buildAlertRisk = (name: string, target = "5.2.0"): JsonObject => ({
  name,
  message: `Preflight of 5.0.3 -> ${target}: ${name} is wrong.`,
  url: "https://example.com/",
  matchingRules: [{ type: "PromQL", promql: { promql: "vector(1)" } }],
});
const RECOMMENDED = { status: "False", reason: "A", message: "A is wrong." };

test("status says which other offered updates show a risk that the operator made of an alert", () => {
  const a = buildAlertRisk("A");
  const b = buildAlertRisk("B");
  const c = buildAlertRisk("C", "5.1.0");
  const updates = [
    conditional("5.2.0", [a, b], RECOMMENDED),
    conditional("5.1.0", [a, b, c], RECOMMENDED),
    conditional("5.0.9", [a, b, foreign("Theirs")], RECOMMENDED),
  ];
  const input = { ...BASE_INPUT, clusterVersion: clusterVersion({ available: [], conditional: updates }) };
  assert.match(
    formatStatus(input),
    /^The updates to 5\.0\.9 and 5\.1\.0 also show the risks A and B, although a preflight of 5\.2\.0 found them\. The operator turns each alert labelled openShiftUpdatePrecheck into a risk of every offered update, because alerts name no target\.$/m,
  );
  assert.deepEqual(JSON.parse(formatStatusJson(input)).alertRisks, [
    { name: "A", target: "5.2.0", otherUpdates: ["5.0.9", "5.1.0"] },
    { name: "B", target: "5.2.0", otherUpdates: ["5.0.9", "5.1.0"] },
    { name: "C", target: "5.1.0", otherUpdates: [] },
  ]);
});

test("status says nothing of alerts whose risks only the target shows", () => {
  const updates = [
    conditional("5.2.0", [buildAlertRisk("A")], RECOMMENDED),
    conditional("5.1.0", [foreign("Theirs")], RECOMMENDED),
  ];
  const object = clusterVersion({ available: [], conditional: updates });
  assert.doesNotMatch(formatStatus({ ...BASE_INPUT, clusterVersion: object }), /alert/);
});

const AFTER_VALIDITY = new Date("2026-03-01T12:10:01Z");
const CLEAR_DOCUMENT = buildSampleDocument([]);

test("status reports a clear result as clear only while it is current", () => {
  assert.match(formatScenario([], {}, CLEAR_DOCUMENT), /^No risk of the update from 5\.0\.3 to 5\.2\.0 is known\.$/m);
  const before =
    /^No risk of the update from 5\.0\.3 to 5\.2\.0 was found at 2026-03-01T11:55:00Z\. Whether it has one now is unknown\.$/m;
  for (const change of [
    { now: AFTER_VALIDITY },
    { controllerPresence: "no" },
    { clusterVersion: clusterVersion({ source: "5.0.4" }) },
    { document: { kind: "invalid", problems: ["document: is empty"] } },
  ] as const)
    assert.match(formatScenario([], change, CLEAR_DOCUMENT), before, Object.keys(change).join());
  assert.match(
    formatScenario([], { now: AFTER_VALIDITY }, CLEAR_DOCUMENT),
    /: completed, but it expired at 2026-03-01T12:10:00Z\.$/m,
  );
  assert.match(
    formatScenario([], {}, buildSampleDocument([], { complete: false })),
    /but not every check could complete/,
  );
  assert.match(
    formatScenario([], { now: AFTER_VALIDITY }),
    /^Risks of the update from 5\.0\.3 to 5\.2\.0 at 2026-03-01T11:55:00Z:$/m,
  );
});

test("status warns if no controller handles a request or deletes a runner", () => {
  const unserved = formatScenario([], { controllerPresence: "no" });
  assert.match(unserved, /^No preflight controller runs in this cluster, so nothing serves the request/m);
  const base = { ...BASE_INPUT, clusterVersion: clusterVersion(), deployment: DEPLOYMENT };
  assert.match(formatStatus(base), /^The Deployment of a runner still exists\. The controller deletes it/m);
  const alone = formatStatus({ ...base, controllerPresence: "no" });
  assert.match(alone, /oc -n openshift-cluster-version delete deployment cluster-version-operator-preflight$/m);
});

test("status does not suggest accepting risks if the API has no field for it", () => {
  const before = clusterVersion();
  const result = liftSample({
    clusterVersion: before,
    document: DOCUMENT,
    fields: { ...ALL_FIELDS, acceptRisks: false },
  });
  const text = formatScenario([], {
    clusterVersion: withStatus(before, result),
    result: buildResultConfigMap(result, DOCUMENT),
  });
  assert.match(text, /^Follow the messages: this cluster's feature set does not allow to accept risks\.$/m);
  assert.doesNotMatch(text, /preflight accept/);
});

function buildScenario(
  accepted: readonly string[],
  change: Partial<StatusInput> = {},
  document = DOCUMENT,
): StatusInput {
  const before = clusterVersion({ accepted });
  const result = liftSample({ clusterVersion: before, document });
  return {
    ...BASE_INPUT,
    clusterVersion: withStatus(before, result),
    ...(CREATED_REQUEST.kind === "create" ? { request: CREATED_REQUEST.object } : {}),
    result: buildResultConfigMap(result, document),
    document: { kind: "valid", document },
    ...change,
  };
}

test("status uses the same exit codes as check", () => {
  const code = (...given: Parameters<typeof buildScenario>) => getStatusExitCode(buildScenario(...given));
  assert.equal(code([]), 3);
  assert.equal(code(["A"]), 3);
  assert.equal(code(["A", "B"]), 0);
  assert.equal(code([], {}, CLEAR_DOCUMENT), 0);
  assert.equal(code([], { now: AFTER_VALIDITY }, CLEAR_DOCUMENT), 4);
  assert.equal(code([], {}, buildSampleDocument([], { complete: false })), 4);
  const { request: _, ...unrequested } = buildScenario([]);
  assert.equal(getStatusExitCode({ ...BASE_INPUT, clusterVersion: clusterVersion() }), 4);
  assert.equal(getStatusExitCode({ ...unrequested, request: { data: { to: "five" } } }), 1);
});

test("status names the risks that ClusterVersion does not show, and why", () => {
  const unpublished = { clusterVersion: clusterVersion() };
  const why = (operator: StatusInput["operator"], controllerPresence: StatusInput["controllerPresence"] = "yes") =>
    /^ClusterVersion does not show A, B\. (.*)$/m.exec(
      formatStatus(buildScenario([], { ...unpublished, operator, controllerPresence })),
    )?.[1];
  assert.equal(why({ kind: "absent" }), "The controller runs without --write-status, or has not written them yet.");
  assert.equal(why({ kind: "absent" }, "no"), "No preflight controller runs.");
  assert.match(why({ kind: "running", holder: "cvo", canServeMode: false }) ?? "", /does not read preflight results/);
  assert.match(why({ kind: "running", holder: "cvo", canServeMode: true }) ?? "", /has not published them yet/);
  assert.doesNotMatch(formatStatus(buildScenario([])), /does not show/);
});

test("status -o json contains the same facts as the text", () => {
  const status = JSON.parse(
    formatStatusJson(buildScenario(["A"], { clusterVersion: clusterVersion({ accepted: ["A"] }) })),
  );
  assert.deepEqual(status.request, { kind: "requested", by: "configMap", target: "5.2.0" });
  assert.deepEqual([status.result.current, status.result.complete, status.controllerRuns], [true, true, "yes"]);
  assert.deepEqual(
    status.result.risks.map(({ name, accepted, source }: Readonly<Record<string, unknown>>) => [
      name,
      accepted,
      source,
    ]),
    [
      ["A", true, "preflight"],
      ["B", false, "preflight"],
    ],
  );
  assert.deepEqual(status.result.notShownByClusterVersion.names, ["A", "B"]);
  assert.equal(status.document.executionStatus, "completed");
  assert.deepEqual(
    status.conditions.map(({ type }: { readonly type: string }) => type),
    ["PreflightRunning", "PreflightCompleted", "PreflightFailed"],
  );
});

test("status reports a document as invalid rather than missing", () => {
  const result = liftSample({ document: DOCUMENT });
  const invalid = { kind: "invalid", problems: ["document: is empty"] } as const;
  assert.match(
    formatStatus(buildScenario([], { document: invalid })),
    /^The document in the ConfigMap preflight-result is not valid, so its content is not used: document: is empty\.$/m,
  );
  const conditions = [{ type: "PreflightCompleted", status: "False", reason: "DocumentInvalid", message: "" }];
  const { "document.json": _, ...data } = objectAt(buildResultConfigMap(result, DOCUMENT), "data");
  const published = { ...clusterVersion(), status: { ...objectAt(clusterVersion(), "status"), conditions } };
  const { document: _document, ...unwritten } = buildScenario([], { result: { data }, clusterVersion: published });
  assert.match(formatStatus(unwritten), /^The runner's document is not valid, so its content is not used\.$/m);
});

test("status warns about a mode set by somebody else, and how the running operator handles it", () => {
  const base = clusterVersion();
  const withMode = {
    ...base,
    spec: { ...objectAt(base, "spec"), desiredUpdate: { mode: "Preflight", version: "5.2.0" } },
  };
  const warning = (operator: StatusInput["operator"]) =>
    formatStatus({ ...BASE_INPUT, clusterVersion: withMode, operator });
  const running = { kind: "running", holder: "cvo" } as const;
  assert.match(
    warning({ ...running, canServeMode: false }),
    /^warning: .* does not support the mode: it ignores it and starts an update to 5\.2\.0\. Never remove the mode alone/m,
  );
  assert.match(warning({ ...running, canServeMode: true }), /it runs a preflight and starts no update\./);
  assert.match(warning({ kind: "absent" }), /One that does not support the mode would start an update to 5\.2\.0\./);
});
