import { formatOmittedOwn, parseMark } from "../../model/cluster-version-risks.ts";

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

/**
 * Joins texts with empty lines as the operator does. If they are too long, some are only counted: a preflight's own before those of others.
 * Its result brings the own ones again, while nothing but this message may say of the others whether they apply.
 */
export function joinMessages(texts: readonly string[], limit: number): string {
  const whole = texts.join("\n\n");
  if ([...whole].length <= limit) return whole;
  const room = limit - REMAINDER_LENGTH;
  const order = [...texts.keys()].toSorted((a, b) => Number(isOwnText(texts[a])) - Number(isOwnText(texts[b])));
  const fitting = countFitting(
    order.flatMap((i) => texts[i] ?? []),
    room,
  );
  const kept = new Set(order.slice(0, Math.max(1, fitting)));
  const omitted = texts.filter((_, i) => !kept.has(i));
  const shown = texts.flatMap((text, i) => (kept.has(i) ? truncate(text, room) : []));
  return [...shown, ...formatOmitted(omitted)].join("\n\n");
}

/** How many of the texts fit from the first one on. */
function countFitting(texts: readonly string[], room: number): number {
  let length = 0;
  const end = texts.findIndex((text) => {
    length += [...text].length + 2;
    return length > room;
  });
  return end === -1 ? texts.length : end;
}

/** Whether it is the text of a risk that a controller brought to ClusterVersion. */
function isOwnText(text: string | undefined): boolean {
  return parseMark(text ?? "")?.by === "controller";
}

function formatOmitted(omitted: readonly string[]): readonly string[] {
  if (omitted.length === 0) return [];
  return [omitted.every(isOwnText) ? formatOmittedOwn(omitted.length) : `And ${omitted.length} more: see risks.`];
}
