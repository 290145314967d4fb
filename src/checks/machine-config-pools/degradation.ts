import type { Finding } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { quoteText } from "../../model/quote.ts";
import { summarizeTexts } from "../shared/summaries.ts";

/** The longest quotation; a text about several conditions divides it among them. */
const MAX_QUOTE_LENGTH = 240;

/** What the machine-config operator writes of each node; the text is a Go string literal. */
const NODE_REPORT = /Node (\S+) is reporting: "((?:[^"\\]|\\.)*)"/g;

/** What it reports of a drain that it gave up. */
const FAILED_DRAIN = /^failed to drain node ?: ?\S+ (after [\w ]+)/;

/** 'Node worker-c: "disk failed"', "7 nodes can't be drained, first worker-c: failed to drain after 1 hour", or the message itself. */
export function formatDegradation(message: string, maxLength = MAX_QUOTE_LENGTH): string {
  const reports = [...message.matchAll(NODE_REPORT)]
    .map(([, node = "", text = ""]) => ({ node, text: text.replaceAll(String.raw`\n`, " ").replaceAll("\\", "") }))
    .toSorted((a, b) => compareText(a.node, b.node));
  const [first] = reports;
  if (first === undefined) return `The operator reports ${formatQuotation(message, maxLength)}`;
  const duration = FAILED_DRAIN.exec(first.text)?.[1];
  const text = duration === undefined ? formatQuotation(first.text, maxLength) : `failed to drain ${duration}`;
  if (reports.length === 1) return `Node ${first.node}: ${text}`;
  const are = reports.every((report) => FAILED_DRAIN.test(report.text)) ? "can't be drained" : "are degraded";
  return `${reports.length} nodes ${are}, first ${first.node}: ${text}`;
}

/** 'Node infra-a: "disk validation failed"', or several with their pools: of the conditions that have a message. */
export function formatDegradations(findings: readonly Finding[]): string {
  const reported = findings.flatMap(({ object, detail }) =>
    detail?.["message"] === undefined ? [] : [{ pool: object.name, message: detail["message"] }],
  );
  if (reported.length === 1) return reported.map(({ message }) => formatDegradation(message)).join("");
  return summarizeTexts(
    reported,
    MAX_QUOTE_LENGTH,
    ({ pool, message }, longest) => `${pool} (${formatDegradation(message, longest)})`,
  );
}

/** The first sentence. */
function formatQuotation(text: string, maxLength: number): string {
  const [sentence = ""] = text.trim().split(/(?<=[.!?])\s/, 1);
  return quoteText(sentence, maxLength);
}
