import { findCondition } from "../../src/model/object.ts";
import { type JsonObject, objectAt, textAt } from "../../src/model/json.ts";
import { type AuditRecord, isWrite, readAuditLog } from "./audit-log.ts";
import { isTransitionTime, listChangedPaths } from "./changes.ts";
import { createFlipFinder } from "./flips.ts";
import type { PlayLog } from "./play.ts";

export type AuditFindings = {
  /** What our accounts must not have done, each as a sentence. */
  readonly faults: readonly string[];
  /** How often our controller wrote an object, and what changed. */
  readonly writes: ReadonlyMap<string, number>;
};

/** Reads what was written during a schedule. */
export async function auditSchedule(file: string, { steps, settled }: PlayLog): Promise<AuditFindings> {
  const present = new Map<string, JsonObject>();
  const writes = new Map<string, number>();
  const faults: string[] = [];
  const flips = createFlipFinder(steps);
  for await (const record of readAuditLog(file)) {
    if (!isWrite(record) || !record.isOk) continue;
    const before = present.get(record.path);
    const changed = before ? listChangedPaths(before, record.response) : undefined;
    flips.add(record, changed ?? []);
    if (isOurs(record)) faults.push(...listFaults(record, before, changed, settled));
    if (record.account === "controller" && !record.isLease) count(writes, describeWrite(record, changed));
    if (record.verb.startsWith("delete")) present.delete(record.path);
    else present.set(record.path, record.response);
  }
  return { faults: [...faults, ...flips.list()], writes };
}

function isOurs({ account }: AuditRecord): boolean {
  return account === "controller" || account === "runner" || account === "commands";
}

function listFaults(
  record: AuditRecord,
  before: JsonObject | undefined,
  changed: readonly string[] | undefined,
  settled: PlayLog["settled"],
): readonly string[] {
  const { account, path, receivedAt, at, isLease, verb, response } = record;
  const name = `${new Date(at).toISOString()} ${account}: ${verb} ${path}`;
  const isSameVersion =
    before !== undefined &&
    textAt(before, "metadata", "resourceVersion") === textAt(response, "metadata", "resourceVersion");
  const isCopied = changed !== undefined && changed.length > 0 && changed.every(isTransitionTime);
  const isQuiet = settled.some(({ from, to }) => receivedAt >= from && receivedAt <= to);
  const isResult = path.startsWith("configmaps/");
  return [
    ...(isSameVersion && !verb.startsWith("delete") ? [`${name} changed nothing`] : []),
    ...(isCopied && !isLease ? [`${name} changed nothing but times: ${changed.join(", ")}`] : []),
    ...(isQuiet && !isLease && !isResult && !isStale(before) && !isStale(response)
      ? [`${name} although nothing had changed: ${(changed ?? []).join(", ")}`]
      : []),
    ...(startsUpdate(record) ? [`${name} names a target in spec.desiredUpdate`] : []),
  ];
}

/** The clock is an input too: a document expires if its runner is late, as on a busy machine. */
function isStale(clusterVersion: JsonObject | undefined): boolean {
  return textAt(findCondition(clusterVersion ?? {}, "PreflightCompleted"), "reason") === "DocumentStale";
}

function startsUpdate({ path, request }: AuditRecord): boolean {
  if (!path.startsWith("clusterversions")) return false;
  const desired = objectAt(request, "spec", "desiredUpdate");
  return ["version", "image", "architecture", "mode"].some((key) => (desired[key] ?? null) !== null);
}

/** "configmaps preflight-result: document.json" */
function describeWrite({ path, verb }: AuditRecord, changed: readonly string[] | undefined): string {
  const [kind = "", ...rest] = path.split("/");
  const name = `${kind} ${rest.at(-1) ?? ""}`;
  if (changed === undefined || verb === "delete") return `${name}: ${verb}`;
  const depth = kind === "configmaps" ? 3 : 4;
  const parts = new Set(
    changed.map((one) =>
      one
        .split("/")
        .slice(1, depth)
        .join("/")
        .replace(/\/\d+$/, ""),
    ),
  );
  return `${name}: ${[...parts].toSorted().join(", ")}`;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
