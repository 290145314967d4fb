import { type JsonObject, textAt } from "./json.ts";
import { isPreflightRisk } from "./preflight-mark.ts";

/** Whether a risk of an update applies to the cluster, as its cluster-version operator has evaluated it. */
export type Applies = "yes" | "no" | "unknown";

/** What the condition quotes of a risk. */
export type QuotedRisk = { readonly name: string; readonly message: string; readonly url: string };

/**
 * What an update's condition Recommended says of each of the update's risks, in their order. Its message is one text for each risk that
 * applies or could not be evaluated, joined by empty lines. Only if all of the message is understood do the other risks not apply.
 * Source: pkg/cvo/availableupdates.go of the cluster-version operator.
 */
export function parseRecommended(condition: JsonObject | undefined, risks: readonly QuotedRisk[]): readonly Applies[] {
  const status = textAt(condition, "status");
  if (status === "True") return risks.map(() => "no");
  if (status !== "False" && status !== "Unknown") return risks.map(() => "unknown");
  const { quoted, isUnderstood } = parseMessage(textAt(condition, "message") ?? "", risks);
  const others = isUnderstood && (status === "Unknown" || quoted.includes("yes")) ? "no" : "unknown";
  const reason = textAt(condition, "reason");
  return risks.map(({ name }, i) => {
    const isNamed = status === "False" && (risks.length === 1 || name === reason);
    return quoted[i] ?? (isNamed ? "yes" : others);
  });
}

type ParsedMessage = { readonly quoted: readonly (Applies | undefined)[]; readonly isUnderstood: boolean };

const SEPARATOR = "\n\n";

function parseMessage(message: string, risks: readonly QuotedRisk[]): ParsedMessage {
  const quoted: (Applies | undefined)[] = risks.map(() => undefined);
  const expected = risks.map((risk) => ({ text: formatRiskText(risk), failures: listFailures(risk) }));
  let isUnderstood = message !== "";
  for (let start = 0; start < message.length;) {
    const texts = expected.map((one) => findText(message, start, one));
    for (const [i, text] of texts.entries()) if (text !== undefined) quoted[i] = text.applies;
    const ends = texts.flatMap((text) => text?.end ?? []);
    const end = ends.length > 0 ? Math.max(...ends) : findParagraphEnd(message, start);
    // A preflight may have published the risk of an earlier result.
    if (ends.length === 0 && !isPreflightRisk({ message: message.slice(start, end) })) isUnderstood = false;
    start = end + SEPARATOR.length;
  }
  return { quoted, isUnderstood };
}

function findParagraphEnd(message: string, start: number): number {
  const end = message.indexOf(SEPARATOR, start);
  return end === -1 ? message.length : end;
}

/** A risk's text in the message; `end` is absent if it has no end, because the message was cut off or has an error of several lines. */
type FoundRisk = { readonly applies: Applies; readonly end?: number };

function findText(message: string, start: number, { text, failures }: ExpectedTexts): FoundRisk | undefined {
  const failed = failures.find(({ begin }) => message.startsWith(begin, start));
  if (failed !== undefined) {
    const end = findEnd(message, start + failed.begin.length, failed.end);
    return end === undefined ? { applies: "unknown" } : { applies: "unknown", end };
  }
  const end = start + text.length;
  return message.startsWith(text, start) && isEnd(message, end) ? { applies: "yes", end } : undefined;
}

/** The texts that a message may have about a risk. */
type ExpectedTexts = {
  readonly text: string;
  readonly failures: readonly { readonly begin: string; readonly end: string }[];
};

/** How the text about a risk that could not be evaluated begins and ends: of older operators (4.10 to 4.13), of newer ones, of our controller. */
function listFailures(risk: QuotedRisk): ExpectedTexts["failures"] {
  const { name, url } = risk;
  return [
    { begin: `Exposure to ${name} is unknown due to an evaluation failure: `, end: `\n${formatRiskText(risk)}` },
    { begin: `Could not evaluate exposure to update risk ${name} (`, end: `\n  ${name} URL: ${url}` },
    { begin: formatUnknownRisk(name), end: formatRiskText(risk) },
  ];
}

function findEnd(message: string, start: number, text: string): number | undefined {
  for (let at = message.indexOf(text, start); at !== -1; at = message.indexOf(text, at + 1))
    if (isEnd(message, at + text.length)) return at + text.length;
  return undefined;
}

function isEnd(message: string, at: number): boolean {
  return at === message.length || message.startsWith(SEPARATOR, at);
}

/** The text about a risk that applies. */
export function formatRiskText({ message, url }: QuotedRisk): string {
  return `${message} ${url}`;
}

/** What preflight's controller writes of a risk that could not be evaluated, before the risk's own text. */
export function formatUnknownRisk(name: string): string {
  return `It is unknown whether ${name} applies. `;
}
