import { selectAcceptedNames } from "../../../format/view/acceptances.ts";
import { targetsFormats } from "../../../format/targets/index.ts";
import { judgeTarget, type TargetResult } from "../../../format/targets/targets.ts";
import { UsageError } from "../../../model/errors.ts";
import type { CycleResult } from "../../../model/report.ts";
import { redactText } from "../../../model/secrets/redact-text.ts";
import { type CycleBase, runCycles } from "../../../runner/cycle.ts";
import { parseChecks } from "../../checks/check-selection.ts";
import { type ClusterSession, withSession } from "../../client/connection.ts";
import { printSkipped } from "../../target-release/target.ts";
import type { Io } from "../../io/io.ts";
import { judgeReports, warnOfCheckAcceptances } from "../../session/acceptances.ts";
import { getExitCode, printResult, buildRunFacts, getTargetVersion } from "../../session/result.ts";
import { buildFailedError, runWithProgress } from "../../session/session.ts";
import { type ChecksAndTarget, completeTarget, readGivenTarget } from "../../target-release/checks-and-target.ts";
import type { LoadedCheckValues } from "./definition.ts";

type Targets = readonly [LoadedCheckValues, ...LoadedCheckValues[]];

/** Checks several targets with one read of the cluster and prints them side by side; resolves with the exit code. */
export async function runSideBySide(given: Targets, io: Io): Promise<0 | 3 | 4> {
  const [values] = given;
  const { output, quiet, crds } = values;
  for (const name of [output.stdout, ...output.files.map(({ format }) => format)]) requireFormat(name);
  if (quiet) throw new UsageError("--quiet is for one target: use -o json for several");
  if (crds !== undefined) throw new UsageError("--crds replaces the target release with CRDs: give one of them");
  return withSession(values, io, async (session) => {
    const targets = await checkTargets(given, session);
    const observedAt = io.now();
    const view = { targets, cluster: session.origin, run: buildRunFacts(values, observedAt), observedAt };
    await printResult(output, (name, style) => requireFormat(name)({ ...view, ...style }), io);
    return getExitCode(targets.map(judgeTarget), values["fail-on"]);
  });
}

type FullView = Parameters<typeof targetsFormats.table>[0] & Parameters<typeof targetsFormats.json>[0];
type SideBySideFormat = (view: FullView) => string;

function requireFormat(name: string): SideBySideFormat {
  const formats: Readonly<Partial<Record<string, SideBySideFormat>>> = targetsFormats;
  const format = formats[name];
  if (format !== undefined) return format;
  throw new UsageError(
    `-o ${name} is for one target: several can be written as ${Object.keys(formats).join(", ")}, or run check once for each`,
  );
}

/** The checks run once, with the releases of all targets. */
async function checkTargets(
  given: Targets,
  session: ClusterSession<LoadedCheckValues>,
): Promise<readonly TargetResult[]> {
  const { values, io } = session;
  const inputs: ChecksAndTarget[] = [];
  for (const one of given) {
    const input = await completeTarget(await readGivenTarget(one), { ...session, values: one });
    printSkipped(input.target.warnings, io);
    inputs.push(input);
  }
  const targets = inputs.map(({ target }) => target);
  const run = (cycle: CycleBase): Promise<readonly CycleResult[]> => runCycles({ ...cycle, targets });
  const results = await runWithProgress(session, parseChecks(values), run, io.parent);
  requireOneResult(results, io);
  const reports = results.map((result) => (result.kind === "completed" ? result.report : undefined));
  const judged = judgeReports(reports, values, io);
  warnOfCheckAcceptances(reports, values, io);
  const labels = buildLabels(given, results);
  return results.map((result, i): TargetResult => {
    const common = { label: labels[i] ?? "", offer: inputs[i]?.offer };
    if (result.kind === "failed") return { ...common, kind: "notChecked", message: redactText(result.failure.message) };
    return { ...common, kind: "checked", report: result.report, accepted: selectAcceptedNames(judged[i] ?? []) };
  });
}

/** If nothing was checked at all, the command failed: for one reason most often, such as an unreachable cluster. */
function requireOneResult(results: readonly CycleResult[], io: Io): void {
  const failures = results.flatMap((result) => (result.kind === "failed" ? [result.failure.message] : []));
  if (io.stopSignal.aborted || failures.length === results.length)
    throw buildFailedError([...new Set(failures)].join("; "), io);
}

/** The version, unless two targets have the same; then as the user names them. */
function buildLabels(targets: Targets, results: readonly CycleResult[]): readonly string[] {
  const given = targets.map((one) => one.to ?? one["to-image"] ?? one.target ?? one["target-version"] ?? "");
  const versions = results.map((result, i) => getTargetVersion(result) ?? given[i] ?? "");
  return versions.map((text, i) =>
    versions.filter((other) => other === text).length > 1 && given[i] !== text ? `${text} (${given[i]})` : text,
  );
}
