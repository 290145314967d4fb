import { type JsonObject, formatCanonicalJson, listAt, textAt } from "../../model/json.ts";
import { parseVersion } from "../../model/version.ts";

/** The form of the prefix in a risk's message: "5.0.3 -> 5.2.0: ", or the proposal's "Preflight=5.2.0: ". */
export type PrefixForm = "versions" | "proposal";

export type UpdateVersions = { readonly source: string; readonly target: string };

/** The update that a risk's prefix names; the proposal's form has no source. */
export type RiskOrigin = { readonly source?: string; readonly target: string };

const ALWAYS_RULES = formatCanonicalJson([{ type: "Always" }]);

/** The message with the prefix, which replaces a prefix that the runner already wrote. */
export function withPrefix(text: string, { source, target }: UpdateVersions, form: PrefixForm): string {
  const bare = text.slice(parsePrefix(text)?.length ?? 0);
  return form === "proposal" ? `Preflight=${target}: ${bare}` : `${source} -> ${target}: ${bare}`;
}

/**
 * The update of a preflight's risk, or undefined for another source's risk. Only the message can identify it: conditions may be pruned or
 * rewritten by the operator, and the retained result may be lost.
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
