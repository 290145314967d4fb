import type { ClusterOperatorCondition } from "./cluster-operator.ts";

/** The longest quotation of a message; a text about several operators divides it among them. */
export const MAX_LENGTH = 240;

/** An operator's own reason and message on one line: only the first sentence of the message, and no more than `maxLength` of it. */
export function formatReason(
  { reason, message }: Pick<ClusterOperatorCondition, "reason" | "message">,
  maxLength = MAX_LENGTH,
): string {
  const short = shorten(message, maxLength);
  if (reason === "") return short === "" ? "no reason reported" : `"${short}"`;
  return short === "" ? reason : `${reason}, "${short}"`;
}

function shorten(message: string, maxLength: number): string {
  const line = message.replaceAll(/\s+/g, " ").replaceAll('"', "'").trim();
  const [first = ""] = line.split(/(?<=[.!?]) /);
  const sentence = first.replace(/[.!?]+$/, "");
  if (sentence.length > maxLength) return `${sentence.slice(0, maxLength).trimEnd()}…`;
  return first.length < line.length ? `${sentence}…` : sentence;
}
