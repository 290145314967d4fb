import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { StatusInput } from "../../../../src/cli/commands/request/status-facts.ts";
import { formatStatusJson } from "../../../../src/cli/commands/request/status.ts";
import { formatStatus } from "../../../../src/cli/commands/request/status-text.ts";
import { buildRequestEdit } from "../../../../src/lift/objects/preflight-request.ts";
import { buildResultConfigMap } from "../../../../src/lift/preflight-result.ts";
import type { DocumentState, RunnerState } from "../../../../src/lift/progress/runner-state.ts";
import type { PreflightDocument } from "../../../../src/model/document.ts";
import { type JsonObject, listAt, objectAt } from "../../../../src/model/json.ts";
import {
  buildSampleDocument,
  clusterVersion,
  liftSample,
  NOW,
  release,
  risk,
  withStatus,
} from "../../../../verify/operator/status-sample.ts";

const AN_HOUR_AGO = new Date("2026-03-01T11:00:00Z");
const TARGET = { kind: "version", version: "5.2.0" } as const;
const CREATED = buildRequestEdit(undefined, { target: TARGET });
const REQUEST = CREATED.kind === "create" ? CREATED.object : assert.fail();
const BASE = { controllerPresence: "yes", operator: { kind: "absent" }, now: NOW } as const;

const RUNNERS: Readonly<Record<string, RunnerState>> = {
  stopped: { kind: "stopped" },
  waiting: { kind: "waiting", notBefore: new Date("2026-03-01T13:00:00Z") },
  windowOver: { kind: "windowOver", until: AN_HOUR_AGO },
  starting: { kind: "starting", since: NOW },
  startingForLong: { kind: "starting", since: AN_HOUR_AGO },
  up: { kind: "up", since: NOW },
  upForLong: { kind: "up", since: AN_HOUR_AGO },
  down: { kind: "down", reason: "ImagePullFailed", message: "The image could not be pulled." },
};

const read = (change: Partial<PreflightDocument>): DocumentState => ({
  kind: "read",
  document: buildSampleDocument([risk("A")], change),
});
const DOCUMENTS: Readonly<Record<string, DocumentState>> = {
  missing: { kind: "missing" },
  invalid: { kind: "invalid", problems: ["document: is empty"] },
  unreadable: { kind: "unreadable", message: "Input/output error" },
  current: read({}),
  running: read({ executionStatus: "running" }),
  failed: read({ executionStatus: "failed", failure: { reason: "Unreachable", message: "No answer." } }),
  expired: read({ validUntil: "2026-03-01T11:59:00Z" }),
  beforeRequest: read({ observedAt: "2026-03-01T11:40:00Z" }),
  otherTarget: read({ targetVersion: "5.1.0" }),
};

const EARLIER: Readonly<Record<string, PreflightDocument | undefined>> = {
  nothing: undefined,
  clear: buildSampleDocument([], { observedAt: "2026-03-01T11:50:00Z" }),
  risks: buildSampleDocument([risk("A")], { observedAt: "2026-03-01T11:50:00Z" }),
};

/** What an administrator sees of a runner's state, its document and the result before it. */
function buildState(runner: RunnerState, document: DocumentState, earlier: PreflightDocument | undefined): StatusInput {
  const retained = earlier === undefined ? undefined : liftSample({ document: earlier }).retained;
  const before = clusterVersion();
  const preflight = { target: TARGET, runner, document, requestedAt: new Date("2026-03-01T11:45:00Z") };
  const result = liftSample({ clusterVersion: before, preflight, ...(retained ? { retained } : {}) });
  const isForeign = /^(Other|DocumentBeforeRequest)/.test(result.conditions[1]?.reason ?? "");
  const published = document.kind === "read" && !isForeign ? document.document : undefined;
  const hasDeployment = !["stopped", "waiting", "windowOver"].includes(runner.kind);
  return {
    ...BASE,
    clusterVersion: withStatus(before, result),
    request: REQUEST,
    result: buildResultConfigMap(result, published),
    ...(published ? { document: { kind: "valid", document: published } as const } : {}),
    ...(hasDeployment ? { deployment: { metadata: { creationTimestamp: "2026-03-01T11:00:00Z" } } } : {}),
  };
}

/** Two sentences that can't both be true. */
const CONTRADICTIONS: readonly (readonly [RegExp, RegExp])[] = [
  [/has not written a document yet|There is no document\./, /The last document is|(observed|expired) at 2026/],
  [/has not written a document yet/, /The last completed result/],
  [/has not written a document yet/, /window ended/],
  [/been up for/, /is starting\.|has not started|not deployed/],
  [/been starting for|not started within/, /checks the cluster continuously/],
  [/No earlier result exists/, /The last completed result|^Risks of|^No risk of/m],
  [/expired/, /remains valid|valid until/],
];

describe("no two sentences of status contradict each other", () => {
  for (const [runnerName, runner] of Object.entries(RUNNERS))
    test(`while the runner is ${runnerName}`, () => {
      for (const [documentName, document] of Object.entries(DOCUMENTS))
        for (const [earlierName, earlier] of Object.entries(EARLIER)) {
          const text = formatStatus(buildState(runner, document, earlier));
          const what = `${documentName} document, ${earlierName} before\n${text}`;
          for (const [one, other] of CONTRADICTIONS)
            assert.ok(!(one.test(text) && other.test(text)), `${one} and ${other}: ${what}`);
          const isUsed = documentName === "current" && earlierName === "nothing";
          if (earlierName === "nothing" && !isUsed && documentName !== "current")
            assert.match(text, /No earlier result exists/, what);
          if (earlierName !== "nothing") assert.doesNotMatch(text, /No earlier result exists/, what);
        }
    });
});

/** The messages of the three conditions, and the headline's last line. */
function listSentences(...state: Parameters<typeof buildState>): readonly string[] {
  const text = formatStatus(buildState(...state));
  const headline = text.split("\n\n")[0]?.split("\n").at(-1) ?? "";
  return [
    headline,
    ...[...text.matchAll(/^ {2}Message: 5\.0\.3 -> 5\.2\.0: (.*)$/gm)].map(([, message = ""]) => message),
  ];
}

test("a pod that is pending is not called up", () => {
  const missing: DocumentState = { kind: "missing" };
  assert.equal(
    listSentences({ kind: "starting", since: NOW }, missing, undefined)[3],
    "The runner has been starting for less than 600 seconds. The runner has not written a document yet.",
  );
  assert.equal(
    listSentences({ kind: "starting", since: AN_HOUR_AGO }, missing, undefined)[3],
    "The runner has not started within 600 seconds. The runner has not written a document yet.",
  );
  assert.equal(
    listSentences({ kind: "up", since: NOW }, missing, undefined)[3],
    "The runner has been up for less than 600 seconds. The runner has not written a document yet.",
  );
});

test("a document that was observed before the request is not called missing", () => {
  const [headline, , completed] = listSentences(
    RUNNERS["up"] ?? assert.fail(),
    read({ observedAt: "2026-03-01T11:40:00Z" }),
    undefined,
  );
  assert.equal(headline, "The document in the runner's folder is from before this request.");
  assert.match(completed ?? "", /^The document was observed at 2026-03-01T11:40:00Z, before this request/);
});

test("a missing document says whether there was one", () => {
  const sentence = (runner: string, earlier: string): string | undefined =>
    listSentences(RUNNERS[runner] ?? assert.fail(), { kind: "missing" }, EARLIER[earlier])[2];
  assert.equal(sentence("up", "nothing"), "The runner has not written a document yet. No earlier result exists.");
  assert.equal(
    sentence("windowOver", "nothing"),
    "The runner wrote no document before the window ended. No earlier result exists.",
  );
  assert.equal(
    sentence("up", "clear"),
    "The runner's document is missing. The last completed result counts until there is a new one. No risks were found.",
  );
});

test("a result without its document is not called complete", () => {
  const isComplete = (document: DocumentState): unknown =>
    JSON.parse(formatStatusJson(buildState(RUNNERS["up"] ?? assert.fail(), document, EARLIER["clear"]))).result
      .complete;
  assert.deepEqual(
    [isComplete({ kind: "missing" }), isComplete(read({})), isComplete(read({ complete: false }))],
    [false, true, false],
  );
});

const headline = (change: Partial<StatusInput>): string =>
  formatStatus({ ...BASE, clusterVersion: clusterVersion(), ...change }).split("\n\n")[0] ?? "";

function withHistory(...entries: readonly JsonObject[]): JsonObject {
  const object = clusterVersion();
  return { ...object, status: { ...objectAt(object, "status"), history: entries } };
}

test("an installation is not called an update, and a request is not served during either", () => {
  const started = { ...release("5.2.0"), state: "Partial", startedTime: "2026-03-01T11:00:00Z" };
  const updating = withHistory(started, ...listAt(clusterVersion(), "status", "history").map((one) => objectAt(one)));
  const during = "The cluster is updating to 5.2.0, and no preflight runs during an update.";
  assert.equal(headline({ clusterVersion: updating }).trimEnd(), `No preflight is requested. ${during}`);
  assert.equal(
    headline({ clusterVersion: withHistory(started) }).trimEnd(),
    "No preflight is requested. The installation of 5.2.0 is in progress.",
  );
  assert.ok(headline({ clusterVersion: updating, request: REQUEST }).includes(`\n${during}\n`));
});

test("conditions that a cancelled preflight left behind are called so", () => {
  const left = withStatus(clusterVersion(), liftSample({ document: buildSampleDocument([]) }));
  assert.match(
    headline({ clusterVersion: left }),
    /\nThe following conditions are of an earlier preflight\. The controller removes them\.$/,
  );
  assert.match(
    headline({ clusterVersion: left, controllerPresence: "no" }),
    /of an earlier preflight, and no preflight controller runs to remove them\.$/,
  );
});

test("a request that the operator serves says nothing of a runner and a document of ours", () => {
  const object = clusterVersion();
  const image = "registry.example/release@sha256:0";
  const desiredUpdate = { mode: "Preflight", version: "5.2.0", image };
  const served = { ...object, spec: { ...objectAt(object, "spec"), desiredUpdate } };
  const operator = { kind: "running", holder: "cvo", canServeMode: true } as const;
  const result = { data: { "mode-image": image } };
  const passedOn = { clusterVersion: served, request: REQUEST, result, operator };
  assert.equal(
    headline(passedOn).trimEnd(),
    "A preflight from 5.0.3 to 5.2.0 is requested.\nThe cluster-version operator serves it.",
  );
  assert.match(
    headline({ ...passedOn, operator: { ...operator, canServeMode: false } }),
    /The runner is not deployed\./,
  );
});

test("a document that the ConfigMap does not hold is not called missing", () => {
  const { result, document: _document, ...state } = buildState(RUNNERS["up"] ?? assert.fail(), read({}), undefined);
  const { "document.json": _, ...data } = objectAt(result, "data");
  assert.match(
    formatStatus({ ...state, result: { data } }),
    /^The ConfigMap preflight-result does not hold the document/m,
  );
});
