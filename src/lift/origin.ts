import { type JsonObject, canonical, listAt, textAt } from "../model/json.ts";
import { parseVersion } from "../model/version.ts";

/** How an administrator is told of the versions: "5.0.3 -> 5.2.0: ", or "Preflight=5.2.0: " as the newest proposal has it. */
export type TextForm = "versions" | "proposal";

/** From which version to which. */
export type Versions = { readonly source: string; readonly target: string };

/** Whose risk it is, as its text says; the proposal's form names no source. */
export type Origin = { readonly source?: string; readonly target: string };

const RULES = canonical([{ type: "Always" }]);

/** The text as it stands in ClusterVersion; one that a runner has marked already isn't marked twice. */
export function marked(text: string, { source, target }: Versions, form: TextForm): string {
  const bare = text.slice(markOf(text)?.length ?? 0);
  return form === "proposal" ? `Preflight=${target}: ${bare}` : `${source} -> ${target}: ${bare}`;
}

/**
 * Whose risk of a preflight this is, or undefined where it is another source's. The text says it, since a risk's text is part of its
 * definition: conditions are pruned where the CRD lacks them and are written anew by the operator, and a kept result can be lost.
 */
export function originOf(risk: JsonObject): Origin | undefined {
  if (canonical(listAt(risk, "matchingRules")) !== RULES) return undefined;
  return markOf(textAt(risk, "message") ?? "")?.origin;
}

type Mark = { readonly length: number; readonly origin: Origin };

function markOf(text: string): Mark | undefined {
  const found = /^(?:(?<source>\S+) -> |Preflight=)(?<target>\S+): /.exec(text);
  const { source, target } = found?.groups ?? {};
  if (!found || target === undefined || !parseVersion(target)) return undefined;
  if (source === undefined) return { length: found[0].length, origin: { target } };
  return parseVersion(source) ? { length: found[0].length, origin: { source, target } } : undefined;
}
