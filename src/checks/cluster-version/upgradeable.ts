import type { Context, Finding, Judgement } from "../../model/check.ts";
import { getMinorOrdinal, leavesMinor, parseVersion } from "../../model/version.ts";
import { type ClusterVersion, isUpdating, buildFinding } from "./cluster-version.ts";
import { risks } from "./risks.ts";

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
