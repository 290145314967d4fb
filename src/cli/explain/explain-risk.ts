import type { Check, Effect, LeadTime, RiskText } from "../../model/check.ts";
import { wrapText } from "../../format/table/wrapping.ts";
import { joinNames } from "../../model/names.ts";
import { LAST_KNOWN_RELEASE, formatMinor } from "../../model/version.ts";
import { formatApplicability, formatPlatforms } from "../check-metadata.ts";
import { buildExampleCommands } from "./example-commands.ts";
import { type Row, formatRows } from "./rows.ts";

const EFFECTS: Readonly<Record<Effect, string>> = {
  refused: "The update does not start, or is not recommended.",
  stuck: "The update starts and cannot finish.",
  broken: "The update finishes, and something no longer works.",
};

const LEAD_TIMES: Readonly<Record<LeadTime, string>> = {
  days: "The remedy usually takes days.",
  hours: "The remedy usually takes hours.",
  minutes: "The remedy usually takes minutes.",
};

/** A fault with a longer history names its first and its last ranges. */
const MAX_RANGES = 6;

/** One screen about one risk: what it is, whom it concerns, and what to do. */
export function formatRisk(check: Check, risk: RiskText, width: number): string {
  const { see, fix } = buildExampleCommands(check, risk);
  const rows: readonly Row[] = [
    { label: "Concerns", text: `${formatPlatforms(check)}: ${formatApplicability(check.applies)}` },
    ...formatAffected(risk.affected ?? []).map((text, i) => ({ label: i === 0 ? "Releases" : "", text })),
    { label: "How sure", text: describeCertainty(check, risk) },
    { label: "Effect", text: `${EFFECTS[risk.effect]} ${LEAD_TIMES[risk.leadTime ?? "minutes"]}` },
    { label: "Remedy", text: risk.remediation },
    ...formatCommands("See", see),
    ...formatCommands("Fix", fix),
    ...listOtherNames(risk).map((text, i) => ({ label: i === 0 ? "Also" : "", text })),
    { label: "Check", text: `${check.id} (preflight explain ${check.id})` },
    { label: "Link", command: risk.url },
  ];
  return `${[...wrapText("", `${risk.name}: ${risk.title}`, width), "", ...formatRows(rows, width)].join("\n")}\n`;
}

function formatAffected(ranges: readonly string[]): readonly string[] {
  if (ranges.length <= MAX_RANGES) return ranges;
  const half = MAX_RANGES / 2;
  return [...ranges.slice(0, half), `... ${ranges.length - MAX_RANGES} more ranges ...`, ...ranges.slice(-half)];
}

function describeCertainty(check: Check, { affected, liftedAs }: RiskText): string {
  const base = describeBasis(check, affected !== undefined);
  return liftedAs === undefined ? base : `${base} The running operator reports the same fault.`;
}

function describeBasis({ needsManifests, isTableBased }: Check, isPublished: boolean): string {
  if (isPublished) return "Reported only if objects of the cluster show that the published bug concerns it.";
  if (needsManifests) return "The cluster's objects are compared with the target's own manifests.";
  if (!isTableBased) return "The cluster's objects show it.";
  return `The cluster's objects are compared with tables of releases up to ${formatMinor(LAST_KNOWN_RELEASE)}; for later targets, the check is unknown.`;
}

function formatCommands(label: string, commands: readonly string[]): readonly Row[] {
  return commands.map((command, i) => ({ label: i === 0 ? label : "", command }));
}

function listOtherNames({ published = [], liftedAs }: RiskText): readonly string[] {
  return [
    ...(published.length === 0 ? [] : [`The update service calls it ${joinNames(published)}.`]),
    ...(liftedAs === undefined ? [] : [`The cluster-version operator reports it as ${liftedAs} (see --lifted).`]),
  ];
}
