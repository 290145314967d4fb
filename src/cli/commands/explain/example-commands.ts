import { type Check, type Context, type Finding, type RiskText, buildContext, isOn } from "../../../model/check.ts";
import { buildObjectCommand, getCommandName } from "../../../model/commands.ts";
import { type Commands, getFixKind } from "../../../model/fix-kind.ts";
import type { Each, Get } from "../../../model/read.ts";
import { formatGroupResource } from "../../../model/resource.ts";
import { parseVersion } from "../../../model/version.ts";
import { buildPlainFacts } from "../../../runner/facts/kubernetes-facts.ts";
import { getReads } from "../../checks/cluster-role.ts";
import { buildVersionRelease } from "../../target-release/target.ts";
import type { Platform } from "../../../model/target-version.ts";

/** The commands of an example finding depend on its platform only, and never on these versions. */
const ANY_VERSION = "4.20.0";
/** A check that reads more kinds than these shows no single fact. */
const MAX_SEEN = 3;

/** Commands that show what a risk is about, and an example of those that remove it. */
export function buildExampleCommands(check: Check, risk: RiskText): Omit<Commands, "fixKind"> & Partial<Commands> {
  const { name, example, see } = risk;
  const context = buildExampleContext(example?.platform ?? findFirstPlatform(check));
  if (example === undefined || context === undefined) return { see: buildSeeCommands(check), fix: [] };
  const finding: Finding = { risk: name, message: "", ...example };
  const commands = see?.(finding, context) ?? [buildObjectCommand(context.platform, "get", finding.object)];
  const shown = commands.map(withoutQuotes);
  if (risk.fix === undefined) return { see: shown, fix: [] };
  const fix = risk.fix(finding, context).map(withoutQuotes);
  return { see: shown, fix, fixKind: getFixKind(risk.fixKind, finding) };
}

/** A placeholder is quoted as any text that a shell would read in another way. */
function withoutQuotes(command: string): string {
  return command.replaceAll(/'([^'{ ]*<[a-z-]+>[^'{ ]*)'/g, "$1");
}

function findFirstPlatform(check: Check): Platform {
  return isOn("openshift", check) ? "openshift" : "kubernetes";
}

/** The check's own reads, as an administrator would perform them. */
function buildSeeCommands(check: Check): readonly string[] {
  const program = getCommandName(findFirstPlatform(check));
  const reads = getReads(check).filter((read) => read.kind === "get" || read.kind === "each");
  const commands = [...new Set(reads.map((read) => formatGet(program, read)))];
  return commands.length > MAX_SEEN ? [] : commands;
}

function formatGet(program: string, read: Get | Each): string {
  const resource = formatGroupResource(read.resource);
  if (read.kind === "each") return `${program} get ${resource} -A`;
  const namespace = read.namespace === undefined ? "" : ` -n ${read.namespace}`;
  return `${program}${namespace} get ${resource}/${read.name} -o yaml`;
}

function buildExampleContext(platform: Platform): Context | undefined {
  const version = parseVersion(ANY_VERSION);
  if (version === undefined) return undefined;
  const release = buildVersionRelease(version, undefined, "", buildPlainFacts(version));
  return buildContext(version, release, new Date(0), platform);
}
