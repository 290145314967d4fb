import { type JsonObject, formatCanonicalJson, listAt, textAt } from "../../model/json.ts";
import {
  type MarkForm,
  type PreflightMark,
  type UpdateVersions,
  parseMark,
  formatMark,
} from "../../model/cluster-version-risks.ts";

/** Whether the operator made this risk of an alert on a preflight's risk: another source of the same fact. */
export function isAlertRisk(risk: JsonObject): boolean {
  return findAlertTarget(risk) !== undefined;
}

/** The target of the preflight that an alert's risk is about. The operator shows the risk on every offered update. */
export function findAlertTarget(risk: JsonObject): string | undefined {
  const mark = parseMark(textAt(risk, "message") ?? "");
  return mark?.by === "alert" ? mark.target : undefined;
}

/** The forms of a controller's mark. */
export type PrefixForm = Exclude<MarkForm, "alert">;

/** The update that a risk's prefix names; the proposal's form has no source. */
type RiskOrigin = { readonly source?: string; readonly target: string };

const ALWAYS_RULES = formatCanonicalJson([{ type: "Always" }]);

/** The message with the prefix, which replaces a prefix that the runner already wrote. */
export function withPrefix(text: string, versions: UpdateVersions, form: PrefixForm): string {
  return `${formatMark(versions, form)}${text.slice(parsePrefix(text)?.length ?? 0)}`;
}

/**
 * The update of a preflight's risk, or undefined for another source's risk. Only the message can identify it: conditions may be pruned or
 * rewritten by the operator, and the retained result may be lost.
 */
export function findOrigin(risk: JsonObject): RiskOrigin | undefined {
  if (formatCanonicalJson(listAt(risk, "matchingRules")) !== ALWAYS_RULES) return undefined;
  return parsePrefix(textAt(risk, "message") ?? "");
}

function parsePrefix(text: string): PreflightMark | undefined {
  const mark = parseMark(text);
  return mark?.by === "controller" ? mark : undefined;
}
