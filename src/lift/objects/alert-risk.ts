import { type JsonObject, textAt } from "../../model/json.ts";

/** Alerts had this prefix before they were named as their risks. Accepted names with it still count. */
export const ALERT_ALIAS_PREFIX = "Preflight";

/** What the summary of a risk's alert begins with, and so the message of the risk that the operator makes of it. */
export function formatAlertPrefix(source: string, target: string): string {
  return `Preflight of ${source} -> ${target}: `;
}

const ALERT_PREFIX = /Preflight of \S+ -> (\S+): /;

/** Whether the operator made this risk of an alert on a preflight's risk: another source of the same fact. */
export function isAlertRisk(risk: JsonObject): boolean {
  return findAlertTarget(risk) !== undefined;
}

/** The target of the preflight that an alert's risk is about. The operator shows the risk on every offered update. */
export function findAlertTarget(risk: JsonObject): string | undefined {
  return ALERT_PREFIX.exec(textAt(risk, "message") ?? "")?.[1];
}

/** A name with the risk's own name, if it is an alert's former name. */
export function withoutAlias(name: string): readonly string[] {
  const bare = name.startsWith(ALERT_ALIAS_PREFIX) ? name.slice(ALERT_ALIAS_PREFIX.length) : "";
  return /^[A-Z]/.test(bare) ? [name, bare] : [name];
}
