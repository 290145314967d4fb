import type { Finding, Context, Judgement } from "../../model/check.ts";
import { readRisks } from "../shared/risks.ts";
import { summarizeTexts } from "../shared/judgements.ts";
import { type ClusterVersion, formatCondition, isUpdating, buildFinding } from "./cluster-version.ts";
import type { Version } from "../../model/version.ts";
import { getMinorOrdinal, leavesMinor, parseVersion, compareVersions, formatMinor } from "../../model/version.ts";
import { CLUSTER_VERSION } from "../../model/resource.ts";

export const risks = readRisks("cluster-version", {
  ClusterVersionFailing: {},
  ClusterVersionInvalid: {},
  ClusterVersionNotUpgradeable: { message: { obstacles: formatObstacles } },
  EarlierUpdateIncomplete: { message: { progress: formatProgress } },
  TargetBelowDesired: {},
  TargetNotAccepted: {},
});

const MAX_LENGTH = 420;

function formatObstacles(findings: readonly Finding[]): string {
  return summarizeTexts(findings, MAX_LENGTH, ({ detail: { reason = "", message = "" } = {} }, longest) =>
    formatCondition({ reason, message }, longest),
  );
}

/** The finding's message as the beginning of a sentence that does not have the object's name beside it. */
function formatProgress([finding]: readonly Finding[]): string {
  const message = finding?.message ?? "";
  return message.replace(/^Its/, "The cluster's").replace(/^It /, "ClusterVersion version ").replace(/\.$/, "");
}

/** One reason for which ClusterVersion reports Upgradeable=False. */
type Obstacle = { readonly reason: string; readonly message: string };

/** What the operator's precondition ClusterVersionUpgradeable refuses, unless other checks have reported all of it. */
export function judgeUpgradeable(clusterVersion: ClusterVersion, context: Context): Judgement {
  if (clusterVersion.upgradeable?.status !== "False" || !isRefused(clusterVersion, context)) return {};
  const obstacles = listObstacles(clusterVersion.upgradeable, clusterVersion.upgradeableParts).filter(
    (obstacle) => !isOwnUpdate(obstacle, clusterVersion) && !isReported(obstacle, context.special.reported),
  );
  return {
    findings: obstacles.map((one) => buildFinding(risks.ClusterVersionNotUpgradeable.name, "Upgradeable=False", one)),
  };
}

/** The first release whose operator, during an update to another minor, lets one to a later patch release of it pass. */
const FIRST_WITH_RETARGET = getMinorOrdinal({ major: 4, minor: 18 });

function isRefused({ desired }: ClusterVersion, context: Context): boolean {
  const applied = parseVersion(desired.version);
  const { target } = context;
  const isRetarget =
    applied !== undefined &&
    getMinorOrdinal(applied) >= FIRST_WITH_RETARGET &&
    !leavesMinor({ source: applied, target });
  return leavesMinor(context) && !isRetarget;
}

const NEXT_OPERATOR = /\n\* (?=Cluster operator \S+ (?:should not|cannot) be upgraded)/;

/** Operators with one condition for several reasons list them in its message; others have a condition for each. */
function listObstacles(whole: Obstacle, parts: readonly Obstacle[]): readonly Obstacle[] {
  const obstacles = parts.length > 0 ? parts : splitReasons(whole);
  return obstacles.flatMap(({ reason, message }) =>
    message
      .split(NEXT_OPERATOR)
      .filter((line) => !/^Multiple cluster operators\b.*:$/.test(line))
      .map((line) => ({ reason, message: line })),
  );
}

function splitReasons(whole: Obstacle): readonly Obstacle[] {
  const [head = "", ...lines] = whole.message.split("\n* ");
  if (!/ for multiple reasons\b/.test(head) || lines.length === 0) return [whole];
  return lines.map((message) => ({ reason: whole.reason, message }));
}

/** The update in progress, which this check reports for itself. */
function isOwnUpdate({ reason, message }: Obstacle, clusterVersion: ClusterVersion): boolean {
  const isAboutUpdate = /^(?:UpdateInProgress|ClusterVersionUpdating)$/.test(reason) || UPDATING.test(message);
  return isAboutUpdate && isUpdating(clusterVersion);
}

const UPDATING = /^An update is already in progress\b/;
const OVERRIDES = /^Disabling ownership via cluster version overrides\b/;
const OPERATOR =
  /^Cluster operator (\S+) (?:should not|cannot) be upgraded\b|^Cluster Operator "(\S+)" is not Upgradeable/;

/** Whether a check has reported the very fact, at the object that it comes from. */
function isReported(obstacle: Obstacle, reported: readonly Finding[]): boolean {
  const { message } = obstacle;
  const has = (risk: string, isSame: (finding: Finding) => boolean = () => true): boolean =>
    reported.some((finding) => finding.risk === risk && isSame(finding));
  const operator = OPERATOR.exec(message);
  if (operator) {
    const name = operator[1] ?? operator[2];
    return has("ClusterOperatorNotUpgradeable", ({ object }) => object.name === name);
  }
  if (OVERRIDES.test(message)) return has("ComponentsSetUnmanaged");
  const isOfGate = ({ detail }: Finding): boolean => message.includes(` ${detail?.["gate"] ?? "?"} `);
  return has("AdminGateInvalid", isOfGate) || isMadeOf(message, reported);
}

/** The risks whose findings carry the text that the operator repeats: of gates, and from 4.23 on of operators. */
const QUOTED = new Set(["AdminAckMissing", "ClusterOperatorNotUpgradeable"]);

/** Whether the message has nothing but the texts of findings: the operator joins those of several gates. */
function isMadeOf(message: string, reported: readonly Finding[]): boolean {
  const texts = reported.filter(({ risk }) => QUOTED.has(risk)).map(({ detail }) => detail?.["message"]?.trim() ?? "");
  const longestFirst = texts.filter((text) => text !== "").toSorted((a, b) => b.length - a.length);
  return message.trim() !== "" && longestFirst.reduce((rest, text) => rest.replaceAll(text, ""), message).trim() === "";
}

/** The first releases whose operator refuses to go back at all, and whose operator allows it within the patch releases of a minor. */
const FIRST_TO_REFUSE = getMinorOrdinal({ major: 4, minor: 14 });
const FIRST_WITH_EXCEPTION = getMinorOrdinal({ major: 4, minor: 16 });

/**
 * What the operator's precondition ClusterVersionRollback says of the target. It compares with the release that is being applied, which
 * during an update is not the one that the cluster runs; and so does the operator that refuses: it is replaced first.
 */
export function judgeRollback(clusterVersion: ClusterVersion, { target, isHosted }: Context): Judgement {
  const desired = parseVersion(clusterVersion.desired.version);
  if (desired === undefined || compareVersions(target, desired) >= 0) return {};
  const why = isHosted ? findHostedRefusal(target, desired) : findRefusal(target, desired, clusterVersion);
  return why === undefined ? {} : { findings: [buildRollbackFinding(target, desired, why)] };
}

/** Source: IsValidReleaseVersion in support/supportedversion of openshift/hypershift. */
function findHostedRefusal(target: Version, desired: Version): string | undefined {
  if (getMinorOrdinal(target) >= getMinorOrdinal(desired)) return undefined;
  return `HyperShift refuses a release of a minor before ${formatMinor(desired)}`;
}

/** Why the operator refuses to go back; undefined if it doesn't. */
function findRefusal(target: Version, desired: Version, clusterVersion: ClusterVersion): string | undefined {
  const operator = getMinorOrdinal(desired);
  if (operator < FIRST_TO_REFUSE) return undefined;
  if (operator < FIRST_WITH_EXCEPTION) return `an operator of ${formatMinor(desired)} goes back to no release`;
  const previous = findPrevious(clusterVersion);
  if (previous === undefined) return "the cluster has no previous release";
  const isSameMinor = formatMinor(previous) === formatMinor(desired);
  if (!isSameMinor)
    return `it goes back only within ${formatMinor(desired)}, and the previous release was ${previous.text}`;
  if (compareVersions(target, previous) !== 0)
    return `it goes back only to the previous release, which is ${previous.text}`;
  return undefined;
}

/** The last release that was applied before the present one, completed or not. */
function findPrevious({ desired, history }: ClusterVersion): Version | undefined {
  const previous = history.find(({ version, image }) => version !== desired.version || image !== desired.image);
  return parseVersion(previous?.version ?? "");
}

function buildRollbackFinding(target: Version, desired: Version, why: string): Finding {
  return {
    risk: risks.TargetBelowDesired.name,
    object: CLUSTER_VERSION,
    path: "status.desired.version",
    message: `It applies ${desired.text}, and ${target.text} is lower: ${why}.`,
    detail: { desired: desired.text, why },
  };
}
