import assert from "node:assert/strict";
import { test } from "node:test";
import type { Check, Context } from "../../src/model/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { each, get, onlyOn, raw } from "../../src/model/read.ts";
import type { ReadFailure } from "../../src/model/reader.ts";
import type { CycleResult } from "../../src/model/report.ts";
import { type CycleInput, runCycle } from "../../src/runner/cycle.ts";
import { checkWith, clusterRunning, object, release, version, VERSION_PATH } from "../support/fixtures.ts";
import { type FakeResponse, type FakeReader, fakeReader } from "../../verify/api-server/fake-reader.ts";
import { present } from "../support/present.ts";

const FORBIDDEN: ReadFailure = { kind: "failed", reason: "Forbidden", message: "403" };
const UNSERVED: FakeResponse = { kind: "absent", what: "resource" };
const GROUP_PATH = "/apis/config.openshift.io/v1";
const FEATURES = "/apis/config.openshift.io/v1/featuregates/cluster";

function serveVersion(gitVersion: string): Readonly<Record<string, FakeResponse>> {
  return { [VERSION_PATH]: UNSERVED, [FEATURES]: FORBIDDEN, "/version": { major: "1", gitVersion } };
}

function buildInput(checks: readonly Check[], reader: FakeReader, target = "1.36.0", more = {}): CycleInput {
  return {
    selection: { checks },
    reader,
    target: { kind: "read", version: version(target), select: () => release(target, more) },
    now: new Date("2026-01-02T03:04:05Z"),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 5_000, cycleTimeout: 10_000 },
  };
}

function getOutcomes(result: CycleResult): Readonly<Record<string, string>> {
  if (result.kind !== "completed") assert.fail(JSON.stringify(result));
  const told = result.report.checks.map(({ id, outcome }) => {
    const why = outcome.kind === "notApplicable" ? `: ${outcome.reason}` : "";
    return [id, `${outcome.kind}${why}`];
  });
  return Object.fromEntries(told);
}

const keepNothing = (): undefined => undefined;
const buildPortableCheck = (more: Partial<Check> & { readonly id: string }): Check =>
  checkWith({ ...more, platforms: ["openshift", "kubernetes"] });

test("a cluster without ClusterVersion is Kubernetes, with the version that it reports", async () => {
  const seen: Context[] = [];
  const look = (_: unknown, context: Context): object => {
    seen.push(context);
    return {};
  };
  const reader = fakeReader(serveVersion("v1.35.2+k3s1"));
  const result = await runCycle(buildInput([buildPortableCheck({ id: "look", evaluate: look })], reader));
  assert.deepEqual(getOutcomes(result), { look: "clear" });
  const [context] = seen;
  assert.deepEqual(
    [context?.platform, context?.source.text, context?.target.text, context?.update, context?.kubernetes],
    ["kubernetes", "1.35.2+k3s1", "1.36.0", "minor", { source: 35, target: 36 }],
  );
});

test("without permission to read ClusterVersion, discovery shows that it does not exist", async () => {
  const few = { ...serveVersion("v1.35.2"), [VERSION_PATH]: FORBIDDEN };
  assert.deepEqual(getOutcomes(await runCycle(buildInput([buildPortableCheck({ id: "a" })], fakeReader(few)))), {
    a: "clear",
  });
  const served = await runCycle(buildInput([], fakeReader({ ...few, [GROUP_PATH]: { kind: "APIResourceList" } })));
  assert.partialDeepStrictEqual(served, { kind: "failed", failure: { reason: "ClusterVersionUnreadable" } });
  const hidden = await runCycle(buildInput([], fakeReader({ ...few, [GROUP_PATH]: FORBIDDEN })));
  assert.partialDeepStrictEqual(hidden, { kind: "failed", failure: { reason: "ClusterVersionUnreadable" } });
});

const DISCOVERY_FAULTS: readonly (readonly [string, FakeResponse, RegExp])[] = [
  ["answers 404 too", { kind: "absent", what: "resource" }, /\/apis are not found \(404\): .*any proxy/],
  ["answers something else", { kind: "Status" }, /\/apis could not be read: .*other than an APIGroupList/],
  [
    "lists the group",
    { kind: "APIGroupList", groups: [{ name: "config.openshift.io" }] },
    /serves config.openshift.io/,
  ],
];

for (const [what, discovery, expected] of DISCOVERY_FAULTS) {
  test(`a 404 on ClusterVersion does not mean Kubernetes if discovery ${what}`, async () => {
    const reader = fakeReader({ ...serveVersion("v1.35.2"), "/apis": discovery });
    const result = await runCycle(buildInput([buildPortableCheck({ id: "a" })], reader));
    assert.ok(result.kind === "failed" && result.failure.reason === "ClusterVersionUnreadable");
    assert.match(result.failure.message, expected);
  });
}

test("a recording without discovery and without ClusterVersion is one of Kubernetes", async () => {
  const discovery = { kind: "failed", reason: "NotRecorded", message: "/apis is not recorded" } as const;
  const reader = fakeReader({ ...serveVersion("v1.35.2"), "/apis": discovery });
  assert.deepEqual(getOutcomes(await runCycle(buildInput([buildPortableCheck({ id: "a" })], reader))), { a: "clear" });
});

test("skips the reads that detect Kubernetes on an OpenShift cluster", async () => {
  const reader = fakeReader(clusterRunning("4.18.8"));
  await runCycle(buildInput([], reader, "4.20.3"));
  assert.ok(!reader.paths.includes("/version") && !reader.paths.includes(GROUP_PATH), reader.paths.join(" "));
});

test("OpenShift-only checks are not applicable, and read nothing", async () => {
  const reads = () => ({ one: get("config.openshift.io/v1/networks", "cluster", keepNothing) });
  const reader = fakeReader(serveVersion("v1.35.2"));
  const result = await runCycle(
    buildInput([checkWith({ id: "other", reads }), buildPortableCheck({ id: "both" })], reader),
  );
  assert.deepEqual(getOutcomes(result), { both: "clear", other: "notApplicable: This is not an OpenShift cluster." });
  assert.ok(!reader.paths.some((path) => path.includes("networks")));
});

test("reads a platform-specific resource only on its platform, and treats it as absent on the other, even if forbidden", async () => {
  const reads = () => ({
    counts: onlyOn("openshift", each("apiserver.openshift.io/v1/apirequestcounts", keepNothing)),
    metrics: onlyOn(
      "kubernetes",
      raw(
        "/metrics",
        (text) => text,
        (line) => line.includes("kept"),
      ),
    ),
  });
  const seen: unknown[] = [];
  const evaluate = (values: unknown): object => {
    seen.push(values);
    return {};
  };
  const check = buildPortableCheck({ id: "a", reads, evaluate });
  const counts = { "/apis/apiserver.openshift.io/v1/apirequestcounts": FORBIDDEN };
  const metrics: JsonObject = { dropped: 1, kept: 2 };
  await runCycle(buildInput([check], fakeReader({ ...serveVersion("v1.35.2"), ...counts, "/metrics": metrics })));
  const onOpenShift = fakeReader({ ...clusterRunning("4.18.8"), "/metrics": FORBIDDEN });
  await runCycle(buildInput([check], onOpenShift, "4.19.1"));
  const absent = { kind: "absent", what: "resource" };
  assert.deepEqual(seen, [
    { counts: absent, metrics: { kind: "found", value: ' "kept": 2\n' } },
    { counts: absent, metrics: absent },
  ]);
  assert.ok(!onOpenShift.paths.includes("/metrics"));
});

test("a text that is forbidden or not understood makes its check unknown, and names the path", async () => {
  const throwing = (): never => {
    throw new Error("odd");
  };
  const checks = [
    buildPortableCheck({ id: "forbidden", reads: () => ({ a: raw("/metrics", keepNothing) }) }),
    buildPortableCheck({ id: "odd", reads: () => ({ a: raw("/readyz", throwing) }) }),
    buildPortableCheck({ id: "oddLine", reads: () => ({ a: raw("/readyz", keepNothing, throwing) }) }),
  ];
  const answers = { ...serveVersion("v1.35.2"), "/metrics": FORBIDDEN, "/readyz": { kind: "x" } };
  const result = await runCycle(buildInput(checks, fakeReader(answers)));
  if (result.kind !== "completed") assert.fail(JSON.stringify(result));
  const blind = result.report.checks.map(({ outcome }) => (outcome.kind === "unknown" ? outcome.unknowns : []));
  assert.deepEqual(present(blind), [
    [{ reason: "Forbidden", where: "/metrics", message: "403" }],
    [{ reason: "NotUnderstood", where: "/readyz", message: "odd" }],
    [{ reason: "NotUnderstood", where: "/readyz", message: "odd" }],
  ]);
});

const BOUNDARIES: readonly (readonly [source: string, target: string, crossed: boolean])[] = [
  ["v1.30.4", "1.31.0", false],
  ["v1.31.4", "1.32.0", true],
  ["v1.30.4", "1.33.0", true],
  ["v1.32.0", "1.33.0", false],
  ["v1.32.1", "1.31.0", false],
];
for (const [source, target, crossed] of BOUNDARIES) {
  test(`changes from 4.19 and Kubernetes 1.32 ${crossed ? "apply" : "don't apply"} from ${source} to ${target}`, async () => {
    const check = buildPortableCheck({ id: "a", applies: { kind: "crosses", minor: "4.19" } });
    const { a } = getOutcomes(await runCycle(buildInput([check], fakeReader(serveVersion(source)), target)));
    assert.match(a ?? "", crossed ? /^clear$/ : /^notApplicable: This check concerns a change in Kubernetes 1\.32, /);
  });
}

test("manifest checks are not applicable if only a version was given, and unknown if files are invalid", async () => {
  const check = buildPortableCheck({ id: "a", basis: "manifests" });
  const without = await runCycle(buildInput([check], fakeReader(serveVersion("v1.35.2"))));
  assert.match(getOutcomes(without)["a"] ?? "", /^notApplicable: This check needs a folder of manifests/);
  const problems = [{ reason: "InvalidYaml", where: "a.yaml", message: "no YAML" }];
  const bad = await runCycle(buildInput([check], fakeReader(serveVersion("v1.35.2")), "1.36.0", { problems }));
  assert.deepEqual(getOutcomes(bad), { a: "unknown" });
});

const FAILURES: readonly (readonly [string, Readonly<Record<string, FakeResponse>>, string, string, RegExp])[] = [
  [
    "an OpenShift target for Kubernetes",
    serveVersion("v1.35.2"),
    "4.20.3",
    "UnsupportedVersionSkew",
    /runs Kubernetes 1\.35\.2 without OpenShift .* 4\.20\.3 is an OpenShift release: .* v1\.36/,
  ],
  [
    "a Kubernetes target for OpenShift",
    clusterRunning("4.18.8"),
    "1.36.0",
    "UnsupportedVersionSkew",
    /runs OpenShift 4\.18\.8, and the target 1\.36\.0 is a version of Kubernetes/,
  ],
  ["an invalid version", serveVersion("latest"), "1.36.0", "InvalidVersion", /reports "latest"/],
  [
    "no version at all",
    { ...serveVersion(""), "/version": UNSERVED },
    "1.36.0",
    "ClusterVersionUnreadable",
    /neither ClusterVersion nor \/version/,
  ],
  [
    "a forbidden version",
    { ...serveVersion(""), "/version": FORBIDDEN },
    "1.36.0",
    "ClusterVersionUnreadable",
    /\/version .* could not be read: 403/,
  ],
  [
    "a version that times out",
    { ...serveVersion(""), "/version": { kind: "failed", reason: "TimedOut", message: "slow" } },
    "1.36.0",
    "ClusterUnreachable",
    /slow/,
  ],
];
for (const [what, answers, target, reason, message] of FAILURES) {
  test(`the cycle fails with ${reason} for ${what}`, async () => {
    const result = await runCycle(buildInput([buildPortableCheck({ id: "a" })], fakeReader(answers), target));
    if (result.kind !== "failed") assert.fail("it completed");
    assert.equal(result.failure.reason, reason);
    assert.match(result.failure.message, message);
  });
}

test("an OpenShift cluster without its ClusterVersion object is not a Kubernetes cluster", async () => {
  const answers: Record<string, FakeResponse> = { [VERSION_PATH]: { kind: "absent", what: "object" }, "/version": {} };
  const result = await runCycle(buildInput([], fakeReader({ ...answers, "/x": object("v1", "X", "x") })));
  assert.match(result.kind === "failed" ? result.failure.message : "", /this is not a complete OpenShift cluster/);
});
