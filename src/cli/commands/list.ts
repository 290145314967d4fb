import { wrapText } from "../../format/text/terminal-text.ts";
import type { Check, RiskText } from "../../model/check.ts";
import { summarizeNames } from "../../model/text.ts";
import { replaceProgramIn } from "../../model/program-name.ts";
import { withCheckSet } from "../checks/check-set.ts";
import { describeCheck, formatPlatforms, formatRunsOnlyWith } from "../checks/check-metadata.ts";
import { formatColumns } from "../process/terminal-text.ts";
import type { ListValues } from "./definitions.ts";
import type { Io } from "../io/io.ts";
import { listTargetChecks } from "../target-release/plain-release.ts";
import { formatJsonText } from "../../model/visible-text.ts";

export async function run(values: ListValues, io: Io): Promise<0> {
  const checks = await listTargetChecks(await withCheckSet(values, io), io);
  io.out(values.output === "json" ? formatJsonText(checks.map(describeCheck)) : formatList(checks, io));
  return 0;
}

/** A pipe gets a line for each check, and so does a terminal that is wide enough. */
function formatList(checks: readonly Check[], { isOutTerminal, width, program }: Io): string {
  const table = formatTable(checks);
  const isTooWide = table.split("\n").some((line) => line.length > width);
  const legend = replaceProgramIn(LEGEND, program);
  const lines = isOutTerminal && isTooWide ? checks.flatMap((check) => formatBlock(check, width)) : [table, ""];
  return `${[...lines, ...legend.flatMap((text) => wrapText("", text, isOutTerminal ? width : Infinity))].join("\n")}\n`;
}

const INDENT = "  ";

function formatBlock(check: Check, width: number): readonly string[] {
  return [
    `${check.id} (${formatPlatforms(check)})`,
    ...wrapText(INDENT, formatTitle(check), width),
    ...wrapText(INDENT, `Risks: ${formatRiskNames(check)}`, width),
    "",
  ];
}

function formatTitle(check: Check): string {
  return `${check.title}${formatRunsOnlyWith(check, (flag) => flag)}`;
}

/** A star if the operator reports the same risk, a plus if the update service publishes it. */
function formatMarkedName({ name, knownAs }: RiskText): string {
  return `${name}${knownAs?.liftedAs === undefined ? "" : "*"}${knownAs?.published === undefined ? "" : "+"}`;
}

/** A check of published bugs has a hundred risks. */
const MAX_NAMED = 10;

function formatRiskNames({ risks }: Check): string {
  return risks.length > MAX_NAMED
    ? summarizeNames(risks.map(formatMarkedName))
    : risks.map(formatMarkedName).join(", ");
}

const LEGEND = [
  "*  The running cluster-version operator may report this risk itself: see --lifted.",
  "+  The update service publishes this risk under another name.",
  "For these names and all details of a check, run: preflight explain CHECK",
];

function formatTable(checks: readonly Check[]): string {
  const rows = checks.map((check) => [check.id, formatTitle(check), formatPlatforms(check), formatRiskNames(check)]);
  return formatColumns([["CHECK", "VERIFIES", "PLATFORMS", "RISKS"], ...rows], "");
}
