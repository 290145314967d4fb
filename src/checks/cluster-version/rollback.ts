import type { Context, Finding, Judgement } from "../../model/check.ts";
import { CLUSTER_VERSION } from "../../model/resource.ts";
import { type Version, compareVersions, formatMinor, getMinorOrdinal, parseVersion } from "../../model/version.ts";
import type { ClusterVersion } from "./cluster-version.ts";
import { risks } from "./risks.ts";

/** The first releases whose operator refuses to go back at all, and whose operator allows it within the patch releases of a minor. */
const FIRST_TO_REFUSE = getMinorOrdinal({ major: 4, minor: 14 });
const FIRST_WITH_EXCEPTION = getMinorOrdinal({ major: 4, minor: 16 });

/**
 * What the operator's precondition ClusterVersionRollback says of the target. It compares with the release that is being applied, which
 * during an update is not the one that the cluster runs; and so does the operator that refuses: it is replaced first.
 */
export function judgeRollback(clusterVersion: ClusterVersion, { target }: Context): Judgement {
  const desired = parseVersion(clusterVersion.desired.version);
  if (desired === undefined || compareVersions(target, desired) >= 0) return {};
  const why = findRefusal(target, desired, clusterVersion);
  return why === undefined ? {} : { findings: [buildFinding(target, desired, why)] };
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

function buildFinding(target: Version, desired: Version, why: string): Finding {
  return {
    risk: risks.TargetBelowDesired.name,
    object: CLUSTER_VERSION,
    path: "status.desired.version",
    message: `It applies ${desired.text}, and ${target.text} is lower: ${why}.`,
    detail: { desired: desired.text, why },
  };
}
