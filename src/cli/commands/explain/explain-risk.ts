import { type Check, type Effect, type LeadTime, type RiskText, getRemediation } from "../../../model/check.ts";
import { wrapText } from "../../../format/text/wrapping.ts";
import { joinNames } from "../../../model/names.ts";
import { describeBackground } from "../../checks/risk-background.ts";
import { buildExampleCommands } from "./example-commands.ts";
import { type Row, formatRows } from "./rows.ts";

const EFFECTS: Readonly<Record<Effect, string>> = {
  refused: "The update does not start.",
  notRecommended: "The update is not recommended: it starts only with --allow-not-recommended.",
  stuck: "The update starts and cannot finish.",
  broken: "The update finishes, and something no longer works.",
};

const LEAD_TIMES: Readonly<Record<LeadTime, string>> = {
  days: "The remedy usually takes days.",
  hours: "The remedy usually takes hours.",
  minutes: "The remedy usually takes minutes.",
};

/** One screen about one risk: what it is, whom it concerns, and what to do. */
export function formatRisk(check: Check, risk: RiskText, width: number): string {
  const { see, fix } = buildExampleCommands(check, risk);
  const { concerns, releases, certainty } = describeBackground(check, risk);
  const rows: readonly Row[] = [
    { label: "Concerns", text: concerns },
    ...releases.map((text, i) => ({ label: i === 0 ? "Releases" : "", text })),
    { label: "How sure", text: certainty },
    { label: "Effect", text: `${EFFECTS[risk.effect]} ${LEAD_TIMES[risk.leadTime ?? "minutes"]}` },
    { label: "Remedy", text: getRemediation(risk) },
    ...formatCommands("See", see),
    ...formatCommands("Fix", fix),
    ...listOtherNames(risk).map((text, i) => ({ label: i === 0 ? "Also" : "", text })),
    { label: "Check", text: `${check.id} (preflight explain ${check.id})` },
    { label: "Link", command: risk.url },
  ];
  return `${[...wrapText("", `${risk.name}: ${risk.title}`, width), "", ...formatRows(rows, width)].join("\n")}\n`;
}

function formatCommands(label: string, commands: readonly string[]): readonly Row[] {
  return commands.map((command, i) => ({ label: i === 0 ? label : "", command }));
}

function listOtherNames({ knownAs: { published = [], liftedAs } = {} }: RiskText): readonly string[] {
  return [
    ...(published.length === 0 ? [] : [`The update service calls it ${joinNames(published)}.`]),
    ...(liftedAs === undefined ? [] : [`The cluster-version operator reports it as ${liftedAs} (see --lifted).`]),
  ];
}
