import assert from "node:assert/strict";
import { test } from "node:test";
import { buildContext, type Unknown } from "../../src/model/check.ts";
import { type UncheckedReason, formatUngranted } from "../../src/model/unknown-reason.ts";
import { formatRemedies } from "../../src/runner/report/risks.ts";
import { release, version } from "../support/fixtures.ts";

type CheckedReason = Exclude<Unknown["reason"], UncheckedReason>;

const READABLE = /^Make these readable/;
const WHOLE_TARGET = /^Give the whole target release/;
const INTACT_TARGET = /^Give an intact copy of the target release/;
const NEWER_PREFLIGHT = /^Use a newer preflight/;
const BY_HAND = /^Check these by hand before updating\.$/;
const REPEATED = /^Run preflight again, or/;

const EXPECTED: Readonly<Record<CheckedReason, RegExp>> = {
  Forbidden: /^Grant the rights that "preflight rbac" prints/,
  Unauthorized: /^Renew the credentials/,
  TimedOut: READABLE,
  Unreachable: READABLE,
  ServerError: READABLE,
  Cancelled: REPEATED,
  NotRead: REPEATED,
  NotRecorded: /^Check these on the cluster itself/,
  PlatformNotCovered: BY_HAND,
  SignatureNotVerified: /^Bring the signature into the cluster/,
  StaleStatus: /^Run preflight again in a minute/,
  RolloutIncomplete: /^Wait until the rollout is complete/,
  NotReported: /^Find out why their state is not reported/,
  NotFound: /^Find out why these are missing/,
  NotServed: /^Find out why the API server does not serve these/,
  OutOfMemory: /^Give preflight more memory .*max-old-space-size.*container/,
  Incomplete: /^Run preflight again without the proxy before the API server, or on a new recording/,
  NotUnderstood: /^If something in these is wrong, correct it/,
  NoTargetFolder: WHOLE_TARGET,
  NoTargetCrds: WHOLE_TARGET,
  Absent: INTACT_TARGET,
  DuplicateManifest: INTACT_TARGET,
  FeatureGatesUnknown: INTACT_TARGET,
  InvalidAnnotation: INTACT_TARGET,
  InvalidManifest: INTACT_TARGET,
  InvalidYaml: INTACT_TARGET,
  NotAFile: INTACT_TARGET,
  OutsideFolder: INTACT_TARGET,
  Unreadable: INTACT_TARGET,
  UnrenderedTemplate: INTACT_TARGET,
  ReleaseTooOld: /^Read the release notes of the minors that the update brings/,
  TargetUnknown: NEWER_PREFLIGHT,
  LimitUnknown: NEWER_PREFLIGHT,
  UnknownFeatureSet: NEWER_PREFLIGHT,
  RuleNotEvaluated: BY_HAND,
  DefinitionNotJudged: BY_HAND,
  PreflightTooOld: /^Update preflight to the version that this needs/,
  DigestMismatch: /^Find out who changed these/,
  ReadNotAllowed: /^To let the check read these, write "checks: \[\{origin: olm\/PACKAGE, reads: \[\.\.\.\]\}\]"/,
  CheckFailed: BY_HAND,
  CheckInvalid: /^Correct the check \("preflight checks lint" says where\)/,
  CostLimit: BY_HAND,
  TooLarge: BY_HAND,
  TooManyObjects: BY_HAND,
};

const isReason = (text: string): text is CheckedReason => text in EXPECTED;

for (const reason of Object.keys(EXPECTED).filter(isReason)) {
  test(`the remedy of ${reason} fits`, () => {
    assert.match(formatRemediesOf(reason), EXPECTED[reason]);
  });
}

test("each remedy of several reasons stands once, rights first", () => {
  assert.equal(
    formatRemediesOf("StaleStatus", "TimedOut", "Forbidden", "ServerError"),
    [formatRemediesOf("Forbidden"), formatRemediesOf("TimedOut"), formatRemediesOf("StaleStatus")].join(" "),
  );
});

test("what no role grants is not to be granted by one", () => {
  const message = formatUngranted("no");
  const format = (...kinds: readonly string[]): string =>
    formatRemediesFor(kinds.map((where) => ({ reason: "Forbidden", where, message })));
  assert.match(format("b.example.com", "a.example.com"), /^Let the account list .*--resource=a\.example\.com,b\./);
  assert.match(format("a.a", "b.a", "c.a", "d.a"), /--resource=KIND\.GROUP"/);
  const both = formatRemediesFor([
    { reason: "Forbidden", where: "pods", message: "no" },
    { reason: "Forbidden", where: "a.a", message },
  ]);
  assert.equal(both, `${formatRemediesOf("Forbidden")} ${format("a.a")}`);
});

function formatRemediesOf(...reasons: readonly Unknown["reason"][]): string {
  return formatRemediesFor(reasons.map((reason) => ({ reason, where: "pods", message: "" })));
}

function formatRemediesFor(unknowns: readonly Unknown[]): string {
  const context = buildContext(version("4.19.3"), release("4.20.1"), new Date("2026-01-02T03:04:05Z"));
  return formatRemedies(unknowns, context);
}
