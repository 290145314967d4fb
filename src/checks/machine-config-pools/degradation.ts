import type { Finding } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { MAX_NAMED } from "../../model/names.ts";
import { quote } from "../../model/quote.ts";

/** The longest quotation; a text about several conditions divides it among them. */
const MAX_QUOTE_LENGTH = 240;

/** What the machine-config operator writes of each node; the text is a Go string literal. */
const NODE_REPORT = /Node (\S+) is reporting: "((?:[^"\\]|\\.)*)"/g;

/** 'node worker-c: "failed to drain"', '7 nodes, first worker-c: "failed to drain"', or the message itself. */
export function formatDegradation(message: string, maxLength = MAX_QUOTE_LENGTH): string {
  const reports = [...message.matchAll(NODE_REPORT)]
    .map(([, node = "", text = ""]) => ({ node, text: text.replaceAll(String.raw`\n`, " ").replaceAll("\\", "") }))
    .toSorted((a, b) => compareText(a.node, b.node));
  const [first] = reports;
  if (first === undefined) return formatQuotation(message, maxLength);
  const nodes = reports.length === 1 ? "node" : `${reports.length} nodes, first`;
  return `${nodes} ${first.node}: ${formatQuotation(first.text, maxLength)}`;
}

/** 'infra (node infra-a: "disk validation failed"); worker ("...")': of the conditions that have a message. */
export function formatDegradations(findings: readonly Finding[]): string {
  const told = findings.flatMap(({ object, detail }) =>
    detail?.["message"] === undefined ? [] : [{ pool: object.name, message: detail["message"] }],
  );
  const first = told.slice(0, MAX_NAMED);
  const texts = first.map(
    ({ pool, message }) => `${pool} (${formatDegradation(message, Math.floor(MAX_QUOTE_LENGTH / first.length))})`,
  );
  return (told.length > first.length ? [...texts, `and ${told.length - first.length} more`] : texts).join("; ");
}

/** The first sentence. */
function formatQuotation(text: string, maxLength: number): string {
  const [sentence = ""] = text.trim().split(/(?<=[.!?])\s/, 1);
  return `"${quote(sentence, maxLength).replaceAll('"', "'")}"`;
}
