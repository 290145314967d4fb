import { type JsonObject, textAt } from "./json.ts";
import { parseVersion } from "./version.ts";

/**
 * How a risk of ClusterVersion says that a preflight found it. A controller writes "5.0.3 -> 5.2.0: ", or the proposal's
 * "Preflight=5.2.0: ", on the risks that it brings there. The cluster-version operator makes risks of alerts: the summaries of those on our
 * risks begin with "Preflight of 5.0.3 -> 5.2.0: ". Every release of preflight reads all that earlier ones wrote.
 */
export type MarkForm = "versions" | "proposal" | "alert";

export type UpdateVersions = { readonly source: string; readonly target: string };

/** A message's mark. The proposal's form has no source. */
export type PreflightMark = {
  readonly by: "controller" | "alert";
  readonly source?: string;
  readonly target: string;
  /** In the message. */
  readonly length: number;
};

export function formatMark({ source, target }: UpdateVersions, form: MarkForm): string {
  if (form === "proposal") return `Preflight=${target}: `;
  return form === "alert" ? `Preflight of ${source} -> ${target}: ` : `${source} -> ${target}: `;
}

const MARK = /^(?:(?<alert>Preflight of )?(?<source>\S+) -> |Preflight=)(?<target>\S+): /;

/** The mark that a message begins with. */
export function parseMark(message: string): PreflightMark | undefined {
  const match = MARK.exec(message);
  const { alert, source, target } = match?.groups ?? {};
  if (!match || target === undefined || !parseVersion(target)) return undefined;
  const versions = { target, length: match[0].length };
  if (source === undefined) return { by: "controller", ...versions };
  return parseVersion(source) ? { by: alert === undefined ? "controller" : "alert", source, ...versions } : undefined;
}

/** The alerts about the runner itself, which tell of no update: their names are the mark. */
export const RUNNER_ALERTS: readonly string[] = [
  "PreflightRunnerStale",
  "PreflightRunnerFailing",
  "PreflightRisksTooMany",
  "PreflightRunnerIncomplete",
  "PreflightDocumentUnwritten",
  "PreflightTargetReached",
];

/** Whether a risk of ClusterVersion comes from a preflight, whichever way it came: it is no news to another one, and proves nothing. */
export function isPreflightRisk(risk: JsonObject): boolean {
  return RUNNER_ALERTS.includes(textAt(risk, "name") ?? "") || parseMark(textAt(risk, "message") ?? "") !== undefined;
}
