import { type JsonObject, formatCanonicalJson, listAt, textAt } from "../../model/json.ts";
import { parseVersion } from "../../model/version.ts";

/** How an administrator is told of the versions: "5.0.3 -> 5.2.0: ", or "Preflight=5.2.0: " as the newest proposal has it. */
export type PrefixForm = "versions" | "proposal";

/** From which version to which. */
export type UpdateVersions = { readonly source: string; readonly target: string };

/** Whose risk it is, as its text says; the proposal's form names no source. */
export type RiskOrigin = { readonly source?: string; readonly target: string };

const ALWAYS_RULES = formatCanonicalJson([{ type: "Always" }]);

/** The text as it stands in ClusterVersion; one that a runner has marked already isn't marked twice. */
export function withPrefix(text: string, { source, target }: UpdateVersions, form: PrefixForm): string {
  const bare = text.slice(parsePrefix(text)?.length ?? 0);
  return form === "proposal" ? `Preflight=${target}: ${bare}` : `${source} -> ${target}: ${bare}`;
}

/**
 * Whose risk of a preflight this is, or undefined where it is another source's. The text says it, since a risk's text is part of its
 * definition: conditions are pruned where the CRD lacks them and are written anew by the operator, and a kept result can be lost.
 */
export function findOrigin(risk: JsonObject): RiskOrigin | undefined {
  if (formatCanonicalJson(listAt(risk, "matchingRules")) !== ALWAYS_RULES) return undefined;
  return parsePrefix(textAt(risk, "message") ?? "")?.origin;
}

type RiskPrefix = { readonly length: number; readonly origin: RiskOrigin };

function parsePrefix(text: string): RiskPrefix | undefined {
  const match = /^(?:(?<source>\S+) -> |Preflight=)(?<target>\S+): /.exec(text);
  const { source, target } = match?.groups ?? {};
  if (!match || target === undefined || !parseVersion(target)) return undefined;
  if (source === undefined) return { length: match[0].length, origin: { target } };
  return parseVersion(source) ? { length: match[0].length, origin: { source, target } } : undefined;
}
