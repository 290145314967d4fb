import type { Unknown, Finding } from "../../src/model/check.ts";
import type { RunFacts } from "../../src/format/document/document.ts";
import type { CheckReport, Outcome, Report, ReportRisk } from "../../src/model/report.ts";
import { type Version, findMinorsBetween, parseVersion } from "../../src/model/version.ts";
import { collectUnseen } from "../../src/model/unseen.ts";

/** Builders of small reports; a test gives only the values that matter to it. */
export function version(text: string): Version {
  const parsed = parseVersion(text);
  if (!parsed) throw new Error(`${text} is no version`);
  return parsed;
}

export const OBSERVED = new Date("2026-03-01T10:00:00.750Z");
export const DIGEST = `sha256:${"ab".repeat(32)}`;

export const run: RunFacts = Object.freeze({
  preflightID: "2026-03-01T09:59:00Z-preflight-4.20.3",
  targetVersion: "4.20.3",
  runnerVersion: "0.1.0",
  intervalSeconds: 300,
  image: "quay.example/release@sha256:1234",
  digest: DIGEST,
  hasUnknownRisks: true,
});

export function risk(name: string, more: Partial<ReportRisk> = {}): ReportRisk {
  const { description = `Node cluster is hit by ${name}.`, remediation = "Change it before updating." } = more;
  return {
    name,
    check: "sample",
    unknown: name.endsWith("Unknown"),
    title: `Something is wrong (${name})`,
    description,
    remediation,
    message: `${description} ${remediation}`,
    url: `https://docs.example/${name}`,
    ...more,
  };
}

export function finding(name: string, more: Partial<Finding> = {}): Finding {
  return {
    risk: name,
    object: { apiVersion: "config.openshift.io/v1", kind: "Node", name: "cluster" },
    message: "it is wrong",
    ...more,
  };
}

export function createUnknown(where: string, more: Partial<Unknown> = {}): Unknown {
  return { reason: "Forbidden", where, message: `reading ${where} was forbidden`, ...more };
}

export function check(id: string, outcome: Outcome): CheckReport {
  return { id, name: "Sample", title: `What ${id} looks at`, outcome };
}

export function report(more: Partial<Report> = {}): Report {
  const own = {
    source: version("4.18.8"),
    target: version("4.20.3"),
    digest: DIGEST,
    observedAt: OBSERVED,
    checks: [],
    risks: [],
    coverage: { kinds: 3, objects: 12, bytes: 4_096 },
    ...more,
  };
  const names = findMinorsBetween(own.source, own.target).map(({ text }) => text);
  const whole = names.length === 0 ? own : { minorsBetween: { names }, ...own };
  return { unseen: collectUnseen(whole), ...whole };
}

/** A report with these risks, all of one check. */
export function reportOf(risks: readonly ReportRisk[], more: Partial<Report> = {}): Report {
  const findings = risks.filter(({ unknown }) => !unknown).map(({ name }) => finding(name));
  const isBlind = risks.some(({ unknown }) => unknown);
  const outcome: Outcome = isBlind
    ? { kind: "unknown", unknowns: [createUnknown("nodes.config.openshift.io cluster")], findings, notices: [] }
    : { kind: "risk", findings, notices: [] };
  return report({ checks: [check("sample", outcome)], risks, ...more });
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
