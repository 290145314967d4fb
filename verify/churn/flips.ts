import { selectPreflightConditions } from "../../src/lift/progress/preflight-conditions.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import type { AuditRecord } from "./audit-log.ts";
import { isTransitionTime } from "./changes.ts";
import type { PlayLog } from "./play.ts";

/** Finds conditions of ours that come back to what they were although nobody changed anything in between. */
export function createFlipFinder(
  steps: PlayLog["steps"],
): (record: AuditRecord, changed: readonly string[]) => readonly string[] {
  const pending = steps.map(({ at }) => at);
  /** By type, what a condition was since the last input. */
  const seen = new Map<string, string[]>();
  const reset = (): void => {
    for (const [type, states] of seen) seen.set(type, states.slice(-1));
  };
  return (record, changed) => {
    while ((pending[0] ?? Infinity) <= record.at) {
      pending.shift();
      reset();
    }
    if (isInput(record, changed)) reset();
    if (!record.path.startsWith("clusterversions/")) return [];
    const states = listPreflightConditions(record.response);
    const faults = [...seen].flatMap(([type, past]) => {
      const state = states.get(type) ?? "absent";
      if (past.at(-1) === state) return [];
      // A document also expires by itself, if the next cycle is late, and comes back with a clock that jumps back.
      const isByClock = [past.at(-1), state].some((one) => one?.endsWith(" DocumentStale"));
      past.push(state);
      const isBack = past.indexOf(state) < past.length - 1 && !isByClock;
      return isBack
        ? [`${new Date(record.at).toISOString()} ${type} flips without an input: ${past.join(" -> ")}`]
        : [];
    });
    for (const [type, state] of states) if (!seen.has(type)) seen.set(type, [state]);
    return faults;
  };
}

/** What the controller's conditions may follow: others' changes, and a new document of the runner. */
function isInput({ account, isLease, path, verb }: AuditRecord, changed: readonly string[]): boolean {
  if (isLease) return false;
  if (account === "controller") return path.endsWith("/preflight-result") && changed.some(isDocument);
  return verb === "create" || verb.startsWith("delete") || changed.some((one) => !isTransitionTime(one));
}

function isDocument(path: string): boolean {
  return path.startsWith("/data/document.json");
}

/** By type, as "True Checking". */
function listPreflightConditions(clusterVersion: JsonObject): ReadonlyMap<string, string> {
  return new Map(
    selectPreflightConditions(clusterVersion).map((one) => [
      textAt(one, "type") ?? "",
      `${textAt(one, "status")} ${textAt(one, "reason")}`,
    ]),
  );
}
