import { listAt, textAt } from "../../src/model/json.ts";
import type { AdminResponse } from "../api-server/admin-api.ts";
import { formatOracleError, isOwnError, sortUnique } from "./disagreement.ts";
import type { Subject } from "./subject.ts";
import type { Verdict } from "./verdict.ts";

export const CONCURRENCY = 24;
export const MERGE = "application/merge-patch+json";
export const APPLY = "application/apply-patch+yaml";

/** The path of a version's collection, with the name of an object or without. */
export function pathOf({ round, plural, isNamespaced }: Subject, version: string, name?: string): string {
  const base = `/apis/${round.group}/${version}/${isNamespaced ? "namespaces/default/" : ""}${plural}`;
  return name === undefined ? base : `${base}/${encodeURIComponent(name)}`;
}

/** Only a refusal by validation names its faults. */
export function buildVerdict({ code, body }: AdminResponse): Verdict {
  if (code < 300) return { passes: true, details: [] };
  if (code !== 422) return { passes: false };
  const causes = listAt(body, "details", "causes").map((cause) => ({
    type: textAt(cause, "reason") ?? "",
    field: textAt(cause, "field") ?? "",
    detail: textAt(cause, "message") ?? "",
  }));
  return { passes: false, details: sortUnique(causes.filter(isOwnError).map(formatOracleError)) };
}
