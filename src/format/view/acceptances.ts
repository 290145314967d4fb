import type { Acceptance, AcceptanceState, JudgedAcceptance, Unseen } from "../../model/unseen.ts";
import { hasLapsed, UNSEEN_RISKS } from "../../model/unseen.ts";
import { compareText } from "../../model/json.ts";
import { sortNames, summarizeNames, formatCount } from "../../model/text.ts";
import { findingsOf, type Report } from "../../model/report.ts";
import { formatRef } from "../../model/resource.ts";
import { formatTime } from "../../model/time.ts";
import { toVisible } from "../../model/visible-text.ts";

/** Decides which acceptances hold for a report, on the day when it was observed. Those of one risk add up. */
export function judgeAcceptances(acceptances: readonly Acceptance[], report: Report): readonly JudgedAcceptance[] {
  return judgeByRisk(acceptances, formatTime(report.observedAt), (risk) =>
    report.risks.some(({ name }) => name === risk) ? listObjects(risk, report) : undefined,
  );
}

/** The same for a result that is not a report. `findObjects`: the objects of a risk; undefined if it was not found. */
export function judgeByRisk(
  acceptances: readonly Acceptance[],
  observedAt: string,
  findObjects: (risk: string) => readonly string[] | undefined,
): readonly JudgedAcceptance[] {
  const byRisk = [...Map.groupBy(toVisible(acceptances), ({ risk }) => risk)].toSorted(([a], [b]) => compareText(a, b));
  return byRisk.flatMap(([risk, entries]) => judgeRisk(entries, findObjects(risk), observedAt));
}

/** The names of the risks that an acceptance covers. */
export function selectAcceptedNames(judged: readonly JudgedAcceptance[]): ReadonlySet<string> {
  return new Set(judged.filter(({ state }) => state.kind === "accepted").map(({ acceptance }) => acceptance.risk));
}

/** `found`: the risk's objects; undefined if the run did not find the risk. */
function judgeRisk(
  entries: readonly Acceptance[],
  found: readonly string[] | undefined,
  observedAt: string,
): readonly JudgedAcceptance[] {
  const valid = entries.filter((entry) => !hasLapsed(entry, observedAt));
  const isCovered = (object: string): boolean => valid.some(({ objects }) => objects?.some(isNameOf(object)) ?? true);
  const others = (found ?? []).filter((object) => !isCovered(object));
  const judge = (entry: Acceptance): AcceptanceState => {
    if (hasLapsed(entry, observedAt)) return { kind: "lapsed" };
    if (found === undefined) return { kind: "unmatched" };
    if (!matches(entry, found)) return { kind: "unmatched", objects: found };
    return others.length === 0 ? { kind: "accepted" } : { kind: "exceeded", objects: others };
  };
  return entries.map((acceptance) => ({ acceptance, state: judge(acceptance) }));
}

function matches({ objects }: Acceptance, found: readonly string[]): boolean {
  return objects === undefined || found.some((object) => objects.some(isNameOf(object)));
}

/** OpenShift's configuration of nodes was once named "Node cluster", and entries that name it so still hold. */
function isNameOf(object: string): (written: string) => boolean {
  return (written) =>
    written === object || (written === "Node cluster" && object === "nodes.config.openshift.io cluster");
}

/** What a risk concerns, in the words of the output. A risk of an incomplete check concerns what it could not read. */
function listObjects(risk: string, { checks, risks, unseen }: Report): readonly string[] {
  if (risks.some(({ name, unknown }) => name === risk && unknown))
    return sortNames(unseen.filter((one) => one.risk === risk && one.accepted === undefined).map(nameUnseen));
  const check = checks.find(({ id }) => id === risks.find(({ name }) => name === risk)?.check);
  if (check === undefined) return [];
  const { outcome, omittedFindings = 0 } = check;
  const findings = findingsOf(outcome).filter((finding) => finding.risk === risk);
  const named = sortNames(findings.map(({ object }) => formatRef(object)));
  return omittedFindings > 0 ? [...named, `${formatCount(omittedFindings, "more finding")} of ${check.id}`] : named;
}

/** Of the checks that were left out, each counts by its id. */
function nameUnseen({ risk, check = "", unknown }: Unseen): string {
  return risk === UNSEEN_RISKS.leftOut ? `check ${check}` : unknown.where;
}

/** Why an acceptance does not hold; undefined if it does. That a risk named without a reason was not found is normal. */
export function formatAcceptanceProblem({ acceptance, state }: JudgedAcceptance): string | undefined {
  const { risk, until, reason, objects = [] } = acceptance;
  switch (state.kind) {
    case "accepted":
      return undefined;
    case "lapsed":
      return `${risk} was accepted until ${until} and counts again: renew or remove the entry`;
    case "unmatched":
      if (state.objects !== undefined)
        return `${risk} was found, but on none of the objects that the entry names (${summarizeNames(objects)}): it concerns ${summarizeNames(state.objects)}`;
      return reason === undefined
        ? undefined
        : `${risk} accepts nothing that was found: remove the entry if it is no longer needed`;
    case "exceeded":
      return `${risk} is not accepted, because it also concerns ${formatCount(state.objects.length, "object")} that no entry names: ${summarizeNames(state.objects)}`;
  }
}
