/** Limits of the ClusterVersion API. Source: the CRD of 4.22 to 5.2 (config.openshift.io/v1). */
export const MAX_RISKS = 500;
export const MAX_RISKS_OF_UPDATE = 200;
export const MAX_CONDITIONAL_UPDATES = 500;
export const MAX_ACCEPTED_RISKS = 1_000;
/** In characters (Unicode code points), as the API server counts. */
export const MAX_RISK_NAME = 256;
/** Of a condition, in characters. */
export const MAX_CONDITION_MESSAGE = 32_768;

/** Shortens a text to `limit` characters, ending in "…". */
export function truncate(text: string, limit: number): string {
  // A text never has more characters than UTF-16 code units, so most need no splitting.
  if (text.length <= limit) return text;
  const all = [...text];
  return all.length <= limit ? text : `${all.slice(0, limit - 1).join("")}…`;
}

/** Reserved for the sentence that counts the omitted texts. */
const REMAINDER_LENGTH = 100;

/** Joins texts with empty lines as the operator does; if they are too long, the last ones are only counted. */
export function joinMessages(texts: readonly string[], limit: number): string {
  const whole = texts.join("\n\n");
  if ([...whole].length <= limit) return whole;
  const kept: string[] = [];
  const room: number = limit - REMAINDER_LENGTH;
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
