import type { ClusterOperatorCondition } from "./cluster-operator.ts";

/** How much of a message is quoted; what tells of several operators shares it out. */
export const MAX_LENGTH = 240;

/** An operator's own reason and message on one line: the message's first sentence, and no more than can be read at a glance. */
export function formatReason(
  { reason, message }: Pick<ClusterOperatorCondition, "reason" | "message">,
  maxLength = MAX_LENGTH,
): string {
  const short = shorten(message, maxLength);
  if (reason === "") return short === "" ? "no reason given" : `"${short}"`;
  return short === "" ? reason : `${reason}, "${short}"`;
}

function shorten(message: string, maxLength: number): string {
  const line = message.replaceAll(/\s+/g, " ").replaceAll('"', "'").trim();
  const [first = ""] = line.split(/(?<=[.!?]) /);
  const sentence = first.replace(/[.!?]+$/, "");
  if (sentence.length > maxLength) return `${sentence.slice(0, maxLength).trimEnd()}…`;
  return first.length < line.length ? `${sentence}…` : sentence;
}
