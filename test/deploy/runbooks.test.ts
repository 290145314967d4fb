import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { LiftProblem } from "../../src/lift/progress/preflight-conditions.ts";
import type { RejectionReason } from "../../src/lift/progress/document-verdict.ts";
import type { InfrastructureReason } from "../../src/lift/progress/runner-state.ts";
import type { PayloadRefusalReason } from "../../src/lift/objects/payload.ts";
import type { CycleFailureReason } from "../../src/model/report.ts";
import { checks } from "../../src/checks/index.ts";
import { isUnknownRiskName } from "../../src/model/unseen.ts";
import { DOCS_URL } from "../../tools/alerts/alert.ts";
import { runnerAlerts } from "../../tools/alerts/prometheus-rule.ts";
import { buildRiskAlerts, buildUnseenAlerts } from "../../tools/alerts/risk-alerts.ts";
import { CONTROLLER_ALERTS } from "../support/deploy/controller-rules.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const pages = globSync("docs/runbooks/*.md", { cwd: ROOT });

/** Every condition reason or cycle failure that needs a runbook. Add new ones here too. */
const REASONS: Readonly<
  Record<
    | CycleFailureReason
    | InfrastructureReason
    | RejectionReason
    | PayloadRefusalReason
    | Exclude<LiftProblem["reason"], "UpdateStarted">,
    true
  >
> = {
  ClusterUnreachable: true,
  ClusterVersionUnreadable: true,
  ConditionsNotStored: true,
  CycleFailed: true,
  CycleTimedOut: true,
  DeploymentRefused: true,
  DocumentInFuture: true,
  DocumentInvalid: true,
  DocumentMissing: true,
  DocumentBeforeRequest: true,
  DocumentOlder: true,
  DocumentStale: true,
  DocumentUnreadable: true,
  FirstCycleRunning: true,
  ImagePullFailed: true,
  InvalidVersion: true,
  KubeconfigUnreadable: true,
  NoRoom: true,
  OtherPayload: true,
  OtherSource: true,
  OtherTarget: true,
  OutOfMemory: true,
  PayloadUnreadable: true,
  RiskFieldsAbsent: true,
  RiskNotMerged: true,
  RunnerCrashed: true,
  SignatureNotVerified: true,
  TargetAmbiguous: true,
  TargetImageChanged: true,
  TargetNotOffered: true,
  TargetNotPinned: true,
  TargetReached: true,
  Unauthorized: true,
  Unschedulable: true,
  UnsupportedVersionSkew: true,
  UpdateInProgress: true,
  UpdatesNotRetrieved: true,
  VolumeUnavailable: true,
};

function read(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

test("the runbooks cover every alert about the runner and every failure reason", () => {
  const text = pages.map(read).join("\n");
  const names = [
    ...[...runnerAlerts, ...CONTROLLER_ALERTS].map(({ alert }) => alert),
    ...Object.keys(REASONS),
    "NoDocumentInTime",
    "Incomplete",
  ];
  assert.deepEqual(
    names.filter((name) => !text.includes(`\`${name}\``)),
    [],
  );
});

test("every alert that is not about a risk leads to a runbook that exists", () => {
  const ours = [...runnerAlerts, ...buildUnseenAlerts(), ...CONTROLLER_ALERTS];
  const unknowns = checks.flatMap(buildRiskAlerts).filter(({ alert }) => isUnknownRiskName(alert));
  const wrong = [...ours, ...unknowns].filter(({ annotations: { runbook_url: url } }) => {
    const path = url.startsWith(`${DOCS_URL}/`) ? url.replace(DOCS_URL, "docs") : "";
    return path === "" || !existsSync(join(ROOT, path));
  });
  assert.deepEqual(wrong, []);
});

test("every troubleshooting page covers detection, mitigation and recovery", () => {
  const troubles = pages.filter((page) => !/(?:README|slis|version-skew|upgrade-downgrade)\.md$/.test(page));
  const parts = ["**Detect", "**Disable", "**Recover"];
  const lacking = troubles.flatMap((page) =>
    parts.filter((part) => !read(page).includes(part)).map((part) => `${page} ${part}`),
  );
  assert.deepEqual(lacking, []);
});

/** What a page says of a base or a runner, and no longer may once it is otherwise. */
const CONTRADICTIONS: readonly (readonly [page: string, wrong: RegExp, right: RegExp])[] = [
  ["risks.md", /plain HTTP/, /serve TLS/],
  ["upgrade-downgrade.md", /nothing removes the runner: it continues/, /`failed` \(`UpdateInProgress`\)/],
  ["README.md", /^\| [^|]*`RiskFieldsAbsent`/m, /`RiskFieldsAbsent` is the reason of no condition/],
];
for (const [page, wrong, right] of CONTRADICTIONS)
  test(`${page} says what the manifests and the code do`, () => {
    const text = read(`docs/runbooks/${page}`);
    assert.doesNotMatch(text, wrong);
    assert.match(text, right);
  });

test("every base that listens on the node's address serves TLS", () => {
  const files = globSync("deploy/*/listen.yaml", { cwd: ROOT });
  assert.ok(files.length > 0);
  for (const file of files) assert.match(read(file), /name: PREFLIGHT_LISTEN_CERT\n/, file);
});

test("the index links to every page", () => {
  const index = read("docs/runbooks/README.md");
  const names = pages.map((page) => page.replace("docs/runbooks/", "")).filter((name) => name !== "README.md");
  assert.deepEqual(
    names.filter((name) => !index.includes(`](${name})`)),
    [],
  );
});
