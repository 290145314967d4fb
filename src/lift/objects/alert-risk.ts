import { type JsonObject, textAt } from "../../model/json.ts";

/** Alerts had this prefix before they were named as their risks. Accepted names with it still count. */
export const ALERT_ALIAS_PREFIX = "Preflight";

/** What the summary of a risk's alert begins with, and so the message of the risk that the operator makes of it. */
export function formatAlertPrefix(source: string, target: string): string {
  return `Preflight of ${source} -> ${target}: `;
}

/** Whether the operator made this risk of an alert on a preflight's risk: another source of the same fact. */
export function isAlertRisk(risk: JsonObject): boolean {
  return /Preflight of \S+ -> \S+: /.test(textAt(risk, "message") ?? "");
}

/** A name with the risk's own name, if it is an alert's former name. */
export function withoutAlias(name: string): readonly string[] {
  const bare = name.startsWith(ALERT_ALIAS_PREFIX) ? name.slice(ALERT_ALIAS_PREFIX.length) : "";
  return /^[A-Z]/.test(bare) ? [name, bare] : [name];
}
