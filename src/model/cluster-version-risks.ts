import { findConditionIn } from "./object.ts";
import { type Json, type JsonObject, listAt, textAt, objectsAt } from "./json.ts";
import { hasSameRules, parsePublishedRisk, type PublishedRisk } from "./route.ts";
import type { Finding } from "./check.ts";
import { countCharacters, takeCharacters } from "./text.ts";
import { parseVersion } from "./version.ts";

/** A risk in ClusterVersion, with the cluster-version operator's evaluation of its rules. */
export type EvaluatedRisk = PublishedRisk & {
  /** The offered version that has the risk; absent in status.conditionalUpdateRisks. */
  readonly version?: string;
  readonly applies: Applies;
  /** Made by the operator itself, of a firing alert or of what Upgradeable says, and not published by the update service. */
  readonly isOfOperator: boolean;
};

/** All risks of a ClusterVersion, those of earlier preflights excepted. */
export function parseEvaluatedRisks(clusterVersion: JsonObject): readonly EvaluatedRisk[] {
  const updates = listAt(clusterVersion, "status", "conditionalUpdates");
  const listed = objectsAt(clusterVersion, "status", "conditionalUpdateRisks");
  return [
    ...updates.flatMap((update) => parseRisksOfUpdate(update)),
    ...listed.filter((risk) => !isPreflightRisk(risk)).map((risk) => buildEvaluatedRisk(risk, "unknown")),
  ];
}

function parseRisksOfUpdate(update: Json): readonly EvaluatedRisk[] {
  const risks = objectsAt(update, "risks");
  // The condition quotes the risks of earlier preflights too.
  const quoted = parseRecommended(findConditionIn(update, "Recommended"), risks.map(parsePublishedRisk));
  const version = textAt(update, "release", "version") ?? "";
  return risks.flatMap((risk, i) =>
    isPreflightRisk(risk) ? [] : [{ ...buildEvaluatedRisk(risk, quoted[i] ?? "unknown"), version }],
  );
}

/** The risks that the operator makes of what Upgradeable says. Source: pkg/risk of the cluster-version operator. */
export const OPERATOR_NAME =
  /^(?:AdminAck(?:-.+|Unknown)|ClusterOperatorUpgradeable(?:-.+|Unknown)|ClusterVersion(?:Overrides|Updating)|ResourceDeletionInProgress(?:Unknown)?)$/;

/** From 4.22 on an operator with the feature gate reports each risk's evaluation. */
function buildEvaluatedRisk(risk: JsonObject, quoted: Applies): EvaluatedRisk {
  const condition = findConditionIn(risk, "Applies");
  const applies = condition === undefined ? quoted : parseStatus(textAt(condition, "status"));
  const published = parsePublishedRisk(risk);
  const isAlert = textAt(condition, "reason")?.startsWith("Alert:") === true;
  return { ...published, applies, isOfOperator: isAlert || OPERATOR_NAME.test(published.name) };
}

function parseStatus(status: string | undefined): Applies {
  if (status === "True") return "yes";
  return status === "False" ? "no" : "unknown";
}

/** The operator's evaluation of a risk's rules under the risk's name: that for this update, else those for other updates. */
export function findEvaluation(
  risk: PublishedRisk,
  version: string,
  evaluatedRisks: readonly EvaluatedRisk[],
): Applies {
  const same = evaluatedRisks.filter((one) => hasSameRules(one, risk));
  const own = combine(same.filter((one) => one.version === version));
  return own === "unknown" ? combine(same) : own;
}

function combine(risks: readonly EvaluatedRisk[]): Applies {
  const decided = risks.map(({ applies }) => applies).filter((applies) => applies !== "unknown");
  if (decided.includes("yes")) return "yes";
  return decided.length === 0 ? "unknown" : "no";
}

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
    if (ends.length === 0 && !isOfPreflight(message.slice(start, end))) isUnderstood = false;
    start = end + SEPARATOR.length;
  }
  return { quoted, isUnderstood };
}

/** A preflight may have published the risk of an earlier result, and counts its own risks where they don't fit. */
function isOfPreflight(text: string): boolean {
  return OMITTED_OWN.test(text) || isPreflightRisk({ message: text });
}

const OMITTED_OWN = /^And \d+ more of the preflight: see risks\.$/;

export function formatOmittedOwn(count: number): string {
  return `And ${count} more of the preflight: see risks.`;
}

function findParagraphEnd(message: string, start: number): number {
  const end = message.indexOf(SEPARATOR, start);
  return end === -1 ? message.length : end;
}

/** A risk's text in the message, and where it ends. */
type FoundRisk = { readonly applies: Applies; readonly end: number };

function findText(message: string, start: number, { text, failures }: ExpectedTexts): FoundRisk | undefined {
  const failed = failures.find(({ begin }) => message.startsWith(begin, start));
  if (failed !== undefined) {
    const end = findEnd(message, start + failed.begin.length, failed.end);
    return end === undefined ? undefined : { applies: "unknown", end };
  }
  const form = [text, cutText(text)].find(
    (one) => message.startsWith(one, start) && isEnd(message, start + one.length),
  );
  return form === undefined ? undefined : { applies: "yes", end: start + form.length };
}

/** The most that our controller writes of a text that is longer than all that a condition holds. */
const MAX_TEXT = 32_668;

function cutText(text: string): string {
  // It never has more characters than UTF-16 code units.
  if (text.length <= MAX_TEXT || countCharacters(text) <= MAX_TEXT) return text;
  return `${takeCharacters(text, MAX_TEXT - 1)}…`;
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

/** What `oc adm upgrade recommend` calls the conditions of an offered update: each has a name of its own. */
export const CONDITIONAL_UPDATE_RISK = "ConditionalUpdateRisk";

/**
 * The name that the cluster-version operator gives the risk of one finding. A family such as "ClusterOperatorUpgradeable-*" names the
 * ClusterOperator, "AdminAck-<gate>" the gate; undefined if the finding has none.
 */
export function getOperatorRiskName(liftedAs: string, { object, detail }: Finding): string | undefined {
  if (liftedAs === CONDITIONAL_UPDATE_RISK) return detail?.["name"];
  const placeholder = /(?:\*|<\w+>)$/.exec(liftedAs)?.[0];
  if (placeholder === undefined) return liftedAs;
  const own = object.kind === "ClusterOperator" ? object.name : detail?.["clusterOperator"];
  const value = placeholder === "*" ? own : detail?.["gate"];
  return value === undefined ? undefined : liftedAs.replace(placeholder, value);
}

/**
 * How a risk of ClusterVersion says that a preflight found it. A controller writes "5.0.3 -> 5.2.0: ", or the proposal's
 * "Preflight=5.2.0: ", on the risks that it brings there. The cluster-version operator makes risks of alerts: the summaries of those on our
 * risks begin with "Preflight of 5.0.3 -> 5.2.0: ". Every release of preflight reads all that earlier ones wrote.
 */
export type MarkForm = "versions" | "proposal" | "alert";

export type UpdateVersions = { readonly source: string; readonly target: string };

/** A message's mark. The proposal's form has no source. */
export type PreflightMark = {
  readonly by: "controller" | "alert";
  readonly source?: string;
  readonly target: string;
  /** In the message. */
  readonly length: number;
};

export function formatMark({ source, target }: UpdateVersions, form: MarkForm): string {
  if (form === "proposal") return `Preflight=${target}: `;
  return form === "alert" ? `Preflight of ${source} -> ${target}: ` : `${source} -> ${target}: `;
}

const MARK = /^(?:(?<alert>Preflight of )?(?<source>\S+) -> |Preflight=)(?<target>\S+): /;

/** The mark that a message begins with. */
export function parseMark(message: string): PreflightMark | undefined {
  const match = MARK.exec(message);
  const { alert, source, target } = match?.groups ?? {};
  if (!match || target === undefined || !parseVersion(target)) return undefined;
  const versions = { target, length: match[0].length };
  if (source === undefined) return { by: "controller", ...versions };
  return parseVersion(source) ? { by: alert === undefined ? "controller" : "alert", source, ...versions } : undefined;
}

/** The alerts about the runner itself, which tell of no update: their names are the mark. */
export const RUNNER_ALERTS: readonly string[] = [
  "PreflightRunnerStale",
  "PreflightRunnerFailing",
  "PreflightRisksTooMany",
  "PreflightRunnerIncomplete",
  "PreflightDocumentUnwritten",
  "PreflightTargetReached",
];

/** Whether a risk of ClusterVersion comes from a preflight, whichever way it came: it is no news to another one, and proves nothing. */
export function isPreflightRisk(risk: JsonObject): boolean {
  return RUNNER_ALERTS.includes(textAt(risk, "name") ?? "") || parseMark(textAt(risk, "message") ?? "") !== undefined;
}
