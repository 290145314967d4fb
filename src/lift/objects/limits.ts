/** What the ClusterVersion API holds at most. Source: the ClusterVersion CRD of 4.22 to 5.2 (config.openshift.io/v1). */
export const MAX_RISKS = 500;
export const MAX_RISKS_OF_UPDATE = 200;
export const MAX_CONDITIONAL_UPDATES = 500;
export const MAX_ACCEPTED_RISKS = 1_000;
/** In characters (Unicode code points), as the API server counts. */
export const MAX_RISK_NAME = 256;
/** Of a condition, in characters. */
export const MAX_CONDITION_MESSAGE = 32_768;

/** At most `limit` characters of a text, ended with "…" where something is left out. */
export function truncate(text: string, limit: number): string {
  // No text has more characters than UTF-16 units, so most are never taken apart.
  if (text.length <= limit) return text;
  const all = [...text];
  return all.length <= limit ? text : `${all.slice(0, limit - 1).join("")}…`;
}

/** Kept free for the sentence that says how many texts there are more. */
const REMAINDER_LENGTH = 100;

/** Texts with an empty line between them, as the operator joins them; where they are too long, the last ones are only counted. */
export function joinMessages(texts: readonly string[], limit: number): string {
  const whole = texts.join("\n\n");
  if ([...whole].length <= limit) return whole;
  const [kept, room]: [string[], number] = [[], limit - REMAINDER_LENGTH];
  let length = 0;
  for (const text of texts) {
    length += [...text].length + 2;
    if (length > room) break;
    kept.push(text);
  }
  const first = kept.length === 0 ? [truncate(texts[0] ?? "", room)] : kept;
  const omittedCount = texts.length - first.length;
  return omittedCount === 0 ? first.join("\n\n") : [...first, `And ${omittedCount} more: see riskNames.`].join("\n\n");
}
