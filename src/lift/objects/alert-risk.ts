import { type JsonObject, textAt } from "../../model/json.ts";
import { parseMark } from "../../model/preflight-mark.ts";

/** Alerts had this prefix before they were named as their risks. Accepted names with it still count. */
export const ALERT_ALIAS_PREFIX = "Preflight";

/** Whether the operator made this risk of an alert on a preflight's risk: another source of the same fact. */
export function isAlertRisk(risk: JsonObject): boolean {
  return findAlertTarget(risk) !== undefined;
}

/** The target of the preflight that an alert's risk is about. The operator shows the risk on every offered update. */
export function findAlertTarget(risk: JsonObject): string | undefined {
  const mark = parseMark(textAt(risk, "message") ?? "");
  return mark?.by === "alert" ? mark.target : undefined;
}

/** A name with the risk's own name, if it is an alert's former name. */
export function withoutAlias(name: string): readonly string[] {
  const bare = name.startsWith(ALERT_ALIAS_PREFIX) ? name.slice(ALERT_ALIAS_PREFIX.length) : "";
  return /^[A-Z]/.test(bare) ? [name, bare] : [name];
}
