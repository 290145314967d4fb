import { buildDocument } from "../../../src/format/document/document.ts";
import { judgeAcceptances, selectAcceptedNames } from "../../../src/format/view/acceptances.ts";
import type { View } from "../../../src/format/view/view.ts";
import type { Acceptance } from "../../../src/model/unseen.ts";
import { buildContext, type Finding } from "../../../src/model/check.ts";
import type { CheckReport, Outcome, Report } from "../../../src/model/report.ts";
import { buildRisks } from "../../../src/runner/report/risks.ts";
import { checkWith, release } from "../fixtures.ts";
import type { Fact } from "../../../verify/pages/facts.ts";
import {
  check,
  createUnknown,
  OBSERVED,
  randomFrom,
  report,
  risk,
  run,
  version,
} from "../../../verify/pages/sample.ts";

/** A view that has every fact, and for each what an output that shows it has: words that stand nowhere else. */
export type MarkedView = { readonly view: View; readonly marks: Readonly<Record<Fact, readonly string[]>> };

type Marker = { readonly word: () => string; readonly number: () => number };

/** No word or number twice, and none that a format escapes or breaks. */
function createMarker(seed: number): Marker {
  const random = randomFrom(seed);
  const used = new Set<number>();
  const number = (): number => {
    const drawn = 100_000 + Math.floor(random() * 900_000);
    if (used.has(drawn)) return number();
    used.add(drawn);
    return drawn;
  };
  const letters = (): string => [...String(number())].map((digit) => "bcdfghjklm"[Number(digit)]).join("");
  return { number, word: () => `q${letters()}${letters()}` };
}

type Words = ReturnType<typeof drawWords>;

function drawWords({ word, number }: Marker) {
  return {
    source: `4.19.${number()}`,
    target: `4.20.${number()}`,
    image: word(),
    signature: word(),
    cluster: `${word().slice(0, 8)}-0000-4000-8000-000000000000`,
    context: word(),
    channel: word(),
    risk: `R${word()}`,
    title: word(),
    description: word(),
    remedy: word(),
    url: word(),
    published: `P${word()}`,
    check: word(),
    omitted: number(),
    namespace: word(),
    object: word(),
    path: word(),
    message: word(),
    detail: word(),
    see: word(),
    fix: word(),
    owner: word(),
    accepted: `A${word()}`,
    reason: word(),
    lapsed: `L${word()}`,
    where: word(),
    why: word(),
    user: word(),
    beside: word(),
    notice: word(),
    site: word(),
    digest: `sha256:${word()}`,
    judged: number(),
    leftOut: word(),
    leftOutReason: word(),
    idle: word(),
    clear: word(),
    kinds: number(),
    objects: number(),
    certainty: word(),
    runner: `0.1.${number()}`,
    file: word(),
    write: word(),
    without: word(),
    unread: word(),
    faults: number(),
    notJudged: number(),
    folder: word(),
  };
}

function buildFinding(words: Words): Finding {
  return {
    risk: words.risk,
    object: { apiVersion: "policy/v1", kind: "PodDisruptionBudget", namespace: words.namespace, name: words.object },
    path: words.path,
    message: words.message,
    detail: { clients: words.detail },
    owners: [{ kind: "team", name: words.owner }],
    see: [`oc get ${words.see}`],
    fix: [`oc delete ${words.fix}`],
    files: [{ place: { file: words.file, line: 12, column: 3 }, state: "faulty", remedy: words.write }],
  };
}

function buildIncompleteOutcome({ where, why, user }: Words): Outcome {
  const unknowns = [
    createUnknown(where, { reason: "TimedOut", message: why }),
    createUnknown("pods", { message: `User "${user}" cannot list resource "pods" in API group ""` }),
  ];
  return { kind: "unknown", unknowns, findings: [], notices: [] };
}

/** A check that found a risk, and could not see everything. */
function buildPartialOutcome({ beside }: Words): Outcome {
  const findings = [{ risk: PARTLY, object: { apiVersion: "v1", kind: "Node", name: "n" }, message: "" }];
  return { kind: "unknown", unknowns: [createUnknown(beside, { message: "not seen" })], findings, notices: [] };
}

const PARTLY = "PartlyFound";

function buildChecks(words: Words): readonly CheckReport[] {
  const accepted = { check: words.leftOut, reason: words.leftOutReason, until: "2031-01-31" };
  const object = { apiVersion: "v1", kind: "Node", name: "n" };
  return [
    {
      ...check(words.check, { kind: "risk", findings: [buildFinding(words)], notices: [words.notice] }),
      omittedFindings: words.omitted,
    },
    check("accepted", { kind: "risk", findings: [{ risk: words.accepted, object, message: "" }], notices: [] }),
    { ...check("incomplete", buildIncompleteOutcome(words)), name: "Incomplete" },
    { ...check("partly", buildPartialOutcome(words)), name: "Partly" },
    {
      ...check("brought", { kind: "clear", notices: [] }),
      origin: { kind: "site", file: `${words.site}.yaml`, digest: words.digest },
      judged: { pods: words.judged },
    },
    {
      ...check(words.leftOut, {
        kind: "unknown",
        unknowns: [
          createUnknown("--skip", { reason: "LeftOut", message: `accepted until 2031-01-31: ${words.leftOutReason}` }),
        ],
        findings: [],
        notices: [],
      }),
      leftOut: { accepted },
    },
    check("idle", { kind: "notApplicable", reason: words.idle }),
    { ...check("clear", { kind: "clear", notices: [] }), title: words.clear },
  ];
}

function buildMarkedReport(words: Words): Report {
  const checks = buildChecks(words);
  const source = version(words.source);
  const target = version(words.target);
  const found = risk(words.risk, {
    check: words.check,
    effect: "stuck",
    leadTime: "days",
    title: words.title,
    description: words.description,
    remediation: words.remedy,
    url: `https://docs.example/${words.url}`,
    published: [words.published],
  });
  const context = buildContext(source, release(words.target), OBSERVED);
  const incomplete = [
    ...buildRisks(checkWith({ id: "incomplete", name: "Incomplete" }), buildIncompleteOutcome(words), context),
    ...buildRisks(checkWith({ id: "partly", name: "Partly" }), buildPartialOutcome(words), context),
  ];
  return report({
    clusterId: words.cluster,
    source,
    target,
    image: `quay.example/${words.image}@sha256:0`,
    imageVerification: { status: "Verified", message: `verified by ${words.signature}` },
    checks,
    risks: [
      found,
      risk(words.accepted, { check: "accepted", effect: "broken" }),
      risk(PARTLY, { check: "partly", effect: "broken" }),
      ...incomplete,
    ],
    coverage: { kinds: words.kinds, objects: words.objects, bytes: 1 },
  });
}

export function buildMarkedView(seed: number): MarkedView {
  const words = drawWords(createMarker(seed));
  const marked = buildMarkedReport(words);
  const given: readonly Acceptance[] = [
    { risk: words.accepted, reason: words.reason, until: "2030-12-31" },
    { risk: words.lapsed, reason: "No longer.", until: "2020-01-31" },
  ];
  const acceptances = judgeAcceptances(given, marked);
  const background = { concerns: "OpenShift", releases: [], certainty: words.certainty };
  const view: View = {
    report: marked,
    document: buildDocument({
      result: { kind: "completed", report: marked },
      run: { ...run, runnerVersion: words.runner },
    }),
    cluster: { kind: "live", context: words.context, server: "https://api.example:6443" },
    accepted: selectAcceptedNames(acceptances),
    acceptances,
    offer: { recommendation: { kind: "recommended" }, channel: words.channel },
    files: {
      paths: [words.folder],
      objects: 1,
      unread: [{ reason: "NotUnderstood", place: { file: words.unread, line: 1, column: 1 }, message: "no YAML" }],
      withoutFile: [{ apiVersion: "v1", kind: "Node", name: words.without }],
      otherFaults: words.faults,
      notJudged: words.notJudged,
      command: `preflight manifests ${words.folder}`,
    },
    backgrounds: new Map([[words.risk, background]]),
    colour: false,
    width: 100,
  };
  return { view, marks: listMarks(words) };
}

function listMarks(words: Words): MarkedView["marks"] {
  return {
    decision: ["Don't update yet"],
    "source version": [words.source],
    "target version": [words.target],
    image: [words.image],
    signature: [words.signature],
    "cluster's id": [words.cluster],
    context: [words.context],
    offer: [words.channel],
    "time of the reads": ["2026-03-01T10:00:00"],
    "version of preflight": [words.runner],
    "risk's name": [words.risk],
    effect: ["stuck"],
    "lead time": ["days"],
    title: [words.title],
    description: [words.description],
    remedy: [words.remedy],
    url: [words.url],
    "published names": [words.published],
    certainty: [words.certainty],
    check: [words.check],
    objects: [words.namespace, words.object],
    "number of omitted findings": [String(words.omitted)],
    path: [words.path],
    message: [words.message],
    details: [words.detail],
    see: [words.see],
    fix: [words.fix],
    owners: [words.owner],
    "place in a file": [words.file],
    "what the file makes of the fault": [words.write],
    "object without a file": [words.without],
    "file that was not read": [words.unread],
    "objects of files that were not judged": [String(words.notJudged)],
    "faults of files alone": [String(words.faults), `preflight manifests ${words.folder}`],
    "accepted risk": [words.accepted],
    "acceptance's reason": [words.reason, "2030-12-31"],
    "lapsed acceptance": [words.lapsed],
    "incomplete check": ["incomplete"],
    "unknown's place": [words.where],
    "unknown's cause": [words.why],
    "unknown beside a check's risks": [words.beside, "PartlyUnknown"],
    "accept name": ["IncompleteUnknown"],
    "grant command": [`--bind-to ${words.user}`],
    "check left out for a reason": [words.leftOut, words.leftOutReason, "2031-01-31"],
    notices: [words.notice],
    "check of others": [words.site],
    "digest of a check of others": [words.digest],
    "number of objects judged": [String(words.judged)],
    "reason why a check does not apply": [words.idle],
    "clear check": [words.clear],
    coverage: [String(words.kinds), String(words.objects)],
  };
}
