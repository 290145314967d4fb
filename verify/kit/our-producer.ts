import { buildDocument, type DocumentInput } from "../../src/format/document/document.ts";
import type { PreflightDocument } from "../../src/model/document.ts";
import {
  flagAt,
  isObject,
  type JsonObject,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from "../../src/model/json.ts";
import type { CheckReport, CycleResult, Outcome, Report, ReportRisk } from "../../src/model/report.ts";
import { parseVersion } from "../../src/model/version.ts";

/** The document after each step, as its file would be read. */
export function produce(scenario: JsonObject): readonly JsonObject[] {
  const run = buildRun(objectAt(scenario, "run"));
  let previous: PreflightDocument | undefined;
  return objectsAt(scenario, "steps").map((step) => {
    previous = buildDocument({
      result: buildResult(step, run),
      run,
      ...(previous ? { previous } : {}),
    });
    const written: unknown = JSON.parse(JSON.stringify(previous));
    return isObject(written) ? written : {};
  });
}

function buildRun(run: JsonObject): DocumentInput["run"] {
  return {
    preflightID: text(run, "preflightID"),
    targetVersion: text(run, "targetVersion"),
    runnerVersion: text(run, "runnerVersion"),
    intervalSeconds: numberAt(run, "intervalSeconds") ?? 0,
    image: text(run, "image"),
    digest: text(run, "digest"),
    hasUnknownRisks: true,
  };
}

function buildResult(step: JsonObject, run: DocumentInput["run"]): CycleResult | "running" {
  if (flagAt(step, "isRunning") === true) return "running";
  const failure = objectAt(step, "failure");
  const reason = textAt(failure, "reason");
  if (reason === undefined) return { kind: "completed", report: buildReport(objectAt(step, "found"), run) };
  return {
    kind: "failed",
    failure: {
      reason: reason === "UpdateInProgress" ? reason : "ClusterUnreachable",
      message: text(failure, "message"),
    },
    observedAt: new Date(0),
    source: parseVersion(text(failure, "source")),
    target: parseVersion(text(failure, "target")),
  };
}

function buildReport(found: JsonObject, { digest = "" }: DocumentInput["run"]): Report {
  const source = parseVersion(text(found, "source"));
  const target = parseVersion(text(found, "target"));
  if (!source || !target) throw new Error("a cycle that completed has two versions");
  const isComplete = flagAt(found, "complete") === true;
  return {
    clusterId: text(found, "clusterID"),
    source,
    target,
    digest,
    observedAt: new Date(text(found, "observedAt")),
    checks: objectsAt(found, "checks").map(buildCheck),
    risks: objectsAt(found, "risks").map(buildRisk),
    unseen: isComplete ? [] : [{ risk: "NodesUnknown", unknown: { where: "", reason: "NotRead", message: "" } }],
    coverage: { kinds: 0, objects: 0, bytes: 0 },
  };
}

function buildCheck(check: JsonObject): CheckReport {
  const id = text(check, "id");
  return { id, name: id, title: id, outcome: buildOutcome(check) };
}

function buildOutcome(check: JsonObject): Outcome {
  const notices = textsAt(check, "notices");
  const kind = text(check, "outcome");
  if (kind === "notApplicable") return { kind, reason: text(check, "message") };
  if (kind === "clear") return { kind, notices };
  if (kind === "risk") return { kind, findings: [], notices };
  const unknowns = objectsAt(check, "unknowns").map((one) => ({
    where: text(one, "where"),
    reason: "Forbidden" as const,
    message: text(one, "message"),
  }));
  return { kind: "unknown", unknowns, findings: [], notices };
}

function buildRisk(risk: JsonObject): ReportRisk {
  return {
    name: text(risk, "name"),
    check: text(risk, "check"),
    unknown: flagAt(risk, "isUnknown") === true,
    title: "",
    description: "",
    remediation: text(risk, "remediation"),
    message: text(risk, "message"),
    url: text(risk, "url"),
  };
}

function text(object: JsonObject, key: string): string {
  return textAt(object, key) ?? "";
}
