import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Check, type Context, type Judgement, buildContext } from "../../src/model/check.ts";
import { type GatherResult, type Read, each, get, query, raw } from "../../src/model/read.ts";
import { type Release } from "../../src/model/release.ts";
import { evaluateInEither, judge } from "../../src/runner/judge/judge.ts";
import { collectValues } from "../../src/runner/plan/check-plan.ts";
import { reportLeftOut } from "../../src/runner/report/build-report.ts";
import { findNotApplicableReason } from "../../src/runner/updates/applicable-checks.ts";
import { checkWith, release, version } from "../support/fixtures.ts";
import { present } from "../support/present.ts";
import type { Platform } from "../../src/model/version.ts";

const NOW = new Date("2026-01-02T03:04:05Z");

function update(from: string, to: string, platform: Platform = "openshift", more: Partial<Release> = {}): Context {
  return buildContext(version(from), release(to, more), NOW, platform);
}

const keep = (): string => "kept";
const READS = {
  one: get("config.openshift.io/v1/networks", "cluster", keep),
  spaced: get("apps/v1/deployments", "ns/web", keep),
  all: each("v1/nodes", keep),
  text: raw("/version", keep),
  series: query("up"),
};

describe("a check applies", () => {
  const crossing = checkWith({ id: "a", applies: { kind: "crosses", minor: "4.19" } });
  const minors = checkWith({ id: "a", applies: { kind: "updates", kinds: ["minor"] } });
  const leaving = checkWith({ id: "a", applies: { kind: "leavesMinor" } });
  const both = { platforms: ["openshift", "kubernetes"] } as const;
  const manifests = checkWith({ id: "a", ...both, basis: "manifests" });
  const onKubernetes = checkWith({ id: "a", platforms: ["kubernetes"] });
  const isNot = (what: string, from: string, to: string): string =>
    `This check does not apply to ${what} (${from} to ${to}).`;
  const noCross = (from: string, to: string): string =>
    `This check concerns a change in 4.19, which an update from ${from} to ${to} does not cross.`;
  const noKubernetesCross = (from: string, to: string): string =>
    `This check concerns a change in Kubernetes 1.32, which an update from ${from} to ${to} does not cross.`;
  const problem = { reason: "InvalidYaml", where: "x.yaml", message: "it is not YAML" } as const;
  const rows: readonly (readonly [string, Check, Context, string | undefined])[] = [
    ["to the minor that it is about", crossing, update("4.18.8", "4.19.0"), undefined],
    ["over it", crossing, update("4.18.8", "4.20.0"), undefined],
    ["not from it", crossing, update("4.19.0", "4.20.0"), noCross("4.19.0", "4.20.0")],
    ["not before it", crossing, update("4.17.0", "4.18.0"), noCross("4.17.0", "4.18.0")],
    ["to a kind of update", minors, update("4.18.8", "4.19.0"), undefined],
    ["not to patches", minors, update("4.18.8", "4.18.9"), isNot("patch updates", "4.18", "4.18")],
    ["not to rollbacks", minors, update("4.19.8", "4.18.9"), isNot("rollbacks", "4.19", "4.18")],
    ["to all that leaves a minor", leaving, update("4.23.1", "5.0.0"), undefined],
    ["not within a minor", leaving, update("4.23.1", "4.23.2"), isNot("patch updates", "4.23", "4.23")],
    ["not to Kubernetes", minors, update("1.31.0", "1.32.0", "kubernetes"), "This is not an OpenShift cluster."],
    ["not to OpenShift", onKubernetes, update("4.18.8", "4.19.0"), "This check concerns Kubernetes without OpenShift."],
    ["to Kubernetes", onKubernetes, update("1.31.0", "1.32.0", "kubernetes"), undefined],
    [
      "not without the manifests that it judges",
      manifests,
      update("1.31.0", "1.32.0", "kubernetes"),
      "This check needs a folder of manifests (--target), since Kubernetes itself has none.",
    ],
    [
      "with manifests of which one is faulty",
      manifests,
      update("1.31.0", "1.32.0", "kubernetes", { problems: [problem] }),
      undefined,
    ],
    ["to releases that have none", manifests, update("4.18.8", "4.19.0"), undefined],
    ["to the minor of Kubernetes", { ...crossing, ...both }, update("1.31.0", "1.32.0", "kubernetes"), undefined],
    [
      "not from that minor",
      { ...crossing, ...both },
      update("1.32.0", "1.33.0", "kubernetes"),
      noKubernetesCross("1.32", "1.33"),
    ],
    [
      "not before that minor",
      { ...crossing, ...both },
      update("1.30.0", "1.31.0", "kubernetes"),
      noKubernetesCross("1.30", "1.31"),
    ],
    [
      "of Kubernetes to kinds of updates too",
      { ...minors, ...both },
      update("1.31.0", "1.31.1", "kubernetes"),
      isNot("patch updates", "1.31", "1.31"),
    ],
  ];
  for (const [what, check, context, reason] of rows) {
    test(what, () => {
      assert.equal(findNotApplicableReason(check, context), reason);
    });
  }
});

describe("reads", () => {
  test("have values if none failed", () => {
    const found: GatherResult = { kind: "found", values: ["a"] };
    const absent: GatherResult = { kind: "absent", what: "object" };
    const gathered = new Map<Read, GatherResult>([
      [READS.all, found],
      [READS.one, absent],
    ]);
    assert.deepEqual(collectValues({ all: READS.all, one: READS.one }, gathered), { all: found, one: absent });
  });

  test("are unknown, each by its name, if they failed or were not read", () => {
    const failure: GatherResult = { kind: "failed", reason: "Forbidden", message: "no" };
    const failed = { reason: "Forbidden", message: "no" };
    assert.deepEqual(collectValues(READS, new Map(Object.values(READS).map((read) => [read, failure]))), [
      { ...failed, where: "networks.config.openshift.io cluster" },
      { ...failed, where: "deployments.apps ns/web" },
      { ...failed, where: "nodes" },
      { ...failed, where: "/version" },
      { ...failed, where: "the cluster's monitoring" },
    ]);
    assert.deepEqual(collectValues({ all: READS.all, text: READS.text }, new Map()), [
      { reason: "NotRead", where: "/api/v1/nodes", message: "it was not read" },
      { reason: "NotRead", where: "/version", message: "it was not read" },
    ]);
  });
});

describe("a verdict", () => {
  const GAP = { kind: "failed", reason: "NotRecorded", message: "a part" } as const;
  const whole: GatherResult = { kind: "found", values: ["a", "b"] };
  const part: GatherResult = { kind: "found", values: ["a"], gaps: [GAP] };
  const unseen = { reason: "NotRecorded", where: "nodes", message: "a part" } as const;
  const unknown = { kind: "unknown", findings: [], notices: [] } as const;
  const finding = { risk: "ThingBroken", object: { apiVersion: "v1", kind: "Node", name: "b" }, message: "m" } as const;

  function run(
    judgement: Judgement,
    { reads = whole, followed = whole }: { readonly reads?: GatherResult; readonly followed?: GatherResult } = {},
    more: Partial<Check> = {},
    context: Context = update("4.18.8", "4.19.3"),
  ) {
    const first = each("v1/nodes", keep);
    const second = each("v1/pods", keep);
    const check = checkWith({ id: "a", evaluate: () => judgement, ...more });
    const plan = { check, reads: { nodes: first }, followedReads: { pods: second } };
    return judge(
      plan,
      new Map([
        [first, reads],
        [second, followed],
      ]),
      context,
    );
  }

  test("is clear, a risk, not applicable or unknown, and sorts what it found", () => {
    assert.deepEqual(present(run({ notices: ["b", "a"] })), { outcome: { kind: "clear", notices: ["a", "b"] } });
    const other = { ...finding, object: { ...finding.object, name: "a" } };
    assert.deepEqual(present(run({ findings: [finding, other] })), {
      outcome: { kind: "risk", findings: [other, finding], notices: [] },
    });
    assert.deepEqual(run({ notApplicable: "No.", findings: [finding] }).outcome, {
      kind: "notApplicable",
      reason: "No.",
    });
    const twice = run({ findings: [finding], unknowns: [unseen, unseen] });
    assert.deepEqual(twice.outcome, { ...unknown, unknowns: [unseen], findings: [finding] });
  });

  test("is unknown with what a list lacks, and then says of no other risk that it was noticed", () => {
    const noticed = { special: { noticedRisks: ["X"] } };
    assert.deepEqual(present(run(noticed)), { outcome: { kind: "clear", notices: [] }, ...noticed.special });
    assert.deepEqual(present(run(noticed, { reads: part })), { outcome: { ...unknown, unknowns: [unseen] } });
    const pods = { ...unseen, where: "pods" };
    assert.deepEqual(present(run(noticed, { followed: part })), { outcome: { ...unknown, unknowns: [pods] } });
    const unaffected = run({ ...noticed, irrelevantReads: ["pods"] }, { followed: part });
    assert.deepEqual(present(unaffected), { outcome: { kind: "clear", notices: [] } });
  });

  test("of a followed read that failed is unknown, unless it decides nothing", () => {
    const followed: GatherResult = { kind: "failed", reason: "Forbidden", message: "no" };
    const failed = { reason: "Forbidden", where: "pods", message: "no" };
    assert.deepEqual(run({}, { followed }).outcome, { ...unknown, unknowns: [failed] });
    assert.deepEqual(run({ irrelevantReads: ["pods"] }, { followed }).outcome, { kind: "clear", notices: [] });
  });

  test("counts the objects of each list for a check that somebody else wrote", () => {
    const site = { kind: "site", file: "a.yaml" } as const;
    assert.deepEqual(run({}, { followed: part }, { origin: site }).judged, { nodes: 2, pods: 1 });
    assert.equal(
      run({}, {}, { origin: { kind: "knownBugs", list: "a", date: "2026-01-01", file: "a.yaml" } }).judged,
      undefined,
    );
    assert.equal(run({}, {}).judged, undefined);
    const absent: GatherResult = { kind: "absent", what: "resource" };
    assert.equal(run({}, { reads: absent, followed: absent }, { origin: site }).judged, undefined);
  });

  test("of a table is unknown for a minor after the last one that it covers", () => {
    const table = { basis: "table", platforms: ["openshift", "kubernetes"] } as const;
    const message = (last: string): string => `this preflight knows what releases up to ${last} change`;
    const rows: readonly (readonly [Partial<Check>, Context, readonly string[]])[] = [
      [table, update("5.1.0", "5.2.9"), []],
      [table, update("5.2.0", "5.3.0"), [`release 5.3: ${message("5.2")}`]],
      [table, update("5.3.0", "5.3.1"), []],
      [{}, update("5.2.0", "5.3.0"), []],
      [{ basis: "manifests" }, update("5.2.0", "5.3.0"), []],
      [table, update("1.37.0", "1.38.0", "kubernetes"), []],
      [table, update("1.38.0", "1.39.0", "kubernetes"), [`release 1.39: ${message("1.38")}`]],
    ];
    for (const [more, context, texts] of rows) {
      const { outcome } = run({}, {}, more, context);
      const unknowns = outcome.kind === "unknown" ? outcome.unknowns : [];
      assert.deepEqual(
        unknowns.map((one) => `${one.where}: ${one.message}`),
        texts,
      );
    }
  });
});

test("a check that was left out is unknown, with an acceptance up to its last day, unless it does not apply", () => {
  const check = checkWith({ id: "a" });
  const context = update("4.18.8", "4.19.3");
  const accept = (until?: string) => ({ check: "a", reason: "it is known", ...(until === undefined ? {} : { until }) });
  const report = (accepted?: ReturnType<typeof accept>) =>
    reportLeftOut({ check, by: "--skip", ...(accepted === undefined ? {} : { accepted }) }, context);
  const message = "the check was left out";
  const rows = [
    [report(), message, {}],
    [report(accept("2026-01-01")), message, {}],
    [
      report(accept("2026-01-02")),
      `${message}, which is accepted until 2026-01-02: it is known`,
      { accepted: accept("2026-01-02") },
    ],
    [report(accept()), `${message}, which is accepted: it is known`, { accepted: accept() }],
  ] as const;
  for (const [built, text, leftOut] of rows) {
    const unknowns = [{ reason: "LeftOut", where: "--skip", message: text }];
    const outcome = { kind: "unknown", unknowns, findings: [], notices: [] };
    assert.deepEqual(present(built), { id: "a", name: "a", title: "title of a", outcome, leftOut });
  }
  const never = checkWith({ id: "a", applies: { kind: "updates", kinds: [] } });
  assert.deepEqual(reportLeftOut({ check: never, by: "--skip" }, context).outcome, {
    kind: "notApplicable",
    reason: "This check does not apply to updates to a later minor (4.18 to 4.19).",
  });
});

describe("where nobody knows whether the control plane is hosted", () => {
  const unknownTopology = { reason: "Forbidden", where: "Infrastructure cluster", message: "403" } as const;
  const context: Context = { ...update("4.18.8", "4.19.0"), unknownTopology };
  const find = (...names: readonly string[]): Judgement => ({
    findings: names.map((name) => ({
      risk: "Fault",
      object: { apiVersion: "v1", kind: "Node", name },
      message: "It is faulty.",
    })),
  });
  const evaluate = (check: Partial<Check>, standalone: Judgement, hosted: Judgement): Judgement =>
    evaluateInEither(checkWith({ id: "a", ...check }), context, ({ isHosted }) => (isHosted ? hosted : standalone));
  const listNames = ({ findings = [] }: Judgement): readonly string[] => findings.map(({ object }) => object.name);
  const listMessages = ({ unknowns = [] }: Judgement): readonly string[] => unknowns.map(({ message }) => message);

  test("a fault of either kind stays, and one of a single kind is unknown", () => {
    const judgement = evaluate({}, find("both", "one", "two"), find("both", "three"));
    assert.deepEqual(listNames(judgement), ["both"]);
    assert.deepEqual(listMessages(judgement), [
      "403",
      "it applies to Node one and Node two unless the control plane is hosted",
      "it applies to Node three if the control plane is hosted",
    ]);
  });

  test("what does not apply to hosted ones is open where others have a fault, and clear where they have none", () => {
    const notApplicable = { hosted: { notApplicable: "There is none." } };
    assert.equal(listMessages(evaluate(notApplicable, find("one"), find())).length, 2);
    const clear = evaluate(notApplicable, { irrelevantReads: ["more"], notices: ["It is."] }, find());
    assert.deepEqual(listMessages(clear), []);
    assert.deepEqual([clear.notApplicable, clear.irrelevantReads, clear.notices], [undefined, ["more"], ["It is."]]);
  });

  test("a read must be irrelevant in either case, and what applies to neither does not apply", () => {
    const { irrelevantReads } = evaluate({}, { irrelevantReads: ["a", "b"] }, { irrelevantReads: ["b"] });
    assert.deepEqual(irrelevantReads, ["b"]);
    assert.equal(evaluate({}, { notApplicable: "No." }, { notApplicable: "None." }).notApplicable, "No.");
    assert.equal(evaluate({}, { notApplicable: "No." }, find()).notApplicable, undefined);
  });
});
