import type { Condition } from "./operators.ts";

/** How much of a message is quoted; what tells of several operators shares it out. */
export const LONGEST = 240;

/** An operator's own reason and message on one line: the message's first sentence, and no more than can be read at a glance. */
export function ownWords({ reason, message }: Pick<Condition, "reason" | "message">, longest = LONGEST): string {
  const short = shorten(message, longest);
  if (reason === "") return short === "" ? "no reason given" : `"${short}"`;
  return short === "" ? reason : `${reason}, "${short}"`;
}

function shorten(message: string, longest: number): string {
  const line = message.replaceAll(/\s+/g, " ").replaceAll('"', "'").trim();
  const [first = ""] = line.split(/(?<=[.!?]) /);
  const sentence = first.replace(/[.!?]+$/, "");
  if (sentence.length > longest) return `${sentence.slice(0, longest).trimEnd()}…`;
  return first.length < line.length ? `${sentence}…` : sentence;
}
