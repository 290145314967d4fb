import { type Context, type Judgement, type Unknown, type Finding, defineCheck } from "../../model/check.ts";
import { get } from "../../model/read.ts";
import {
  type ClusterVersion,
  keepClusterVersion,
  buildSignatureNotices,
  buildSignatureReads,
  findDigest,
  formatCondition,
  isUpdating,
  buildFinding,
} from "./cluster-version.ts";
import { risks, judgeRollback, judgeUpgradeable } from "./preconditions.ts";
import { CLUSTER_VERSION } from "../../model/resource.ts";
import { isWithinMinutes } from "../../model/time.ts";
import { leavesMinor } from "../../model/version.ts";
import { mergeJudgements } from "../shared/judgements.ts";
import type { ConditionTexts } from "../shared/conditions.ts";

export default defineCheck({
  id: "cluster-version",
  name: "ClusterVersionNotReady",
  title: "The cluster-version operator is idle and reports no errors",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  special: { judgedLast: true },
  seenAfterUpdate: "ClusterVersion reports one update at a time.",
  reads: () => ({
    clusterVersion: get("config.openshift.io/v1/clusterversions", "version", keepClusterVersion),
  }),
  mayRead: () => buildSignatureReads(undefined),
  follow({ clusterVersion }, context) {
    if (clusterVersion.kind === "absent" || !needsSignature(clusterVersion.value, context)) return {};
    return buildSignatureReads(findDigest(clusterVersion.value.releaseSource, context));
  },
  evaluate({ clusterVersion }, context, signatureReads): Judgement {
    if (clusterVersion.kind === "absent") return { notApplicable: "The cluster has no ClusterVersion version." };
    const judgement = judgeClusterVersion(clusterVersion.value, context);
    if (!needsSignature(clusterVersion.value, context)) return judgement;
    const digest = findDigest(clusterVersion.value.releaseSource, context);
    const notices = [...(judgement.notices ?? []), ...buildSignatureNotices(digest, signatureReads, context)];
    // They give a notice alone.
    return { ...judgement, notices, irrelevantReads: ["sets", "policies", "common", "own"] };
  },
});

/** Clusters that reach the public update service reach the signatures as well. An image's own signature is release-signature's to judge. */
function needsSignature({ releaseSource }: ClusterVersion, { checks, release, isHosted }: Context): boolean {
  // Its operator verifies no release.
  if (isHosted) return false;
  const isJudged = checks.includes("release-signature") && release.imageVerification !== undefined;
  return releaseSource.isOffline && !releaseSource.hasSignatureStores && !isJudged;
}

/** The operator tries again for some minutes before its alerts count an error. */
const GRACE_MINUTES = 10;

export function judgeClusterVersion(clusterVersion: ClusterVersion, context: Context): Judgement {
  const { failing, invalid, releaseAccepted } = clusterVersion;
  return mergeJudgements([
    failing ? judgeFailing(failing, context) : {},
    invalid ? judgeInvalid(invalid) : {},
    releaseAccepted ? judgeAcceptance(releaseAccepted, clusterVersion, context) : {},
    judgeUpgradeable(clusterVersion, context),
    judgeProgress(clusterVersion, context),
    judgeRollback(clusterVersion, context),
  ]);
}

function judgeFailing(condition: ConditionTexts, { special, now }: Context): Judgement {
  if (condition.status === "False") return {};
  if (condition.status !== "True") return { unknowns: [buildUnknown("Failing", condition)] };
  if (areOperatorsReported(condition, special.reported)) return {};
  if (isWithinMinutes(condition.since, GRACE_MINUTES, now)) return { notices: [buildTransientNotice(condition)] };
  return { findings: [buildFinding(risks.ClusterVersionFailing.name, "Failing=True", condition)] };
}

function buildTransientNotice(condition: ConditionTexts): string {
  return `ClusterVersion version has reported Failing=True for less than ${GRACE_MINUTES} minutes (${formatCondition(condition)}): update once it has recovered.`;
}

function judgeInvalid(condition: ConditionTexts): Judgement {
  if (condition.status === "False") return {};
  if (condition.status !== "True") return { unknowns: [buildUnknown("Invalid", condition)] };
  return { findings: [buildFinding(risks.ClusterVersionInvalid.name, "Invalid=True", condition)] };
}

/** Unknown is the state while the operator loads and verifies a requested release. */
function judgeAcceptance(
  condition: ConditionTexts,
  { requestedVersion }: ClusterVersion,
  { target, isHosted }: Context,
): Judgement {
  if (condition.status !== "False") return {};
  const refused = /\bversion="([^"]+)"/.exec(condition.message)?.[1] ?? requestedVersion;
  if (refused === target.text && condition.reason !== "PreconditionChecks")
    return { findings: [buildFinding(risks.TargetNotAccepted.name, "ReleaseAccepted=False", condition)] };
  const isOwn = refused === target.text;
  return { notices: [buildRefusalNotice(condition, refused, isOwn ? "" : formatWithdrawal(isHosted))] };
}

/**
 * Other checks find what the preconditions of an update look at; a request for another release ends with the next one. `withdrawal`: "" if it
 * is for the target.
 */
function buildRefusalNotice(condition: ConditionTexts, refused: string, withdrawal: string): string {
  const release = refused === "" ? "another release" : refused;
  const remedy = withdrawal || "It starts the update once the conditions that it names are met.";
  return `The cluster-version operator has not accepted the requested update to ${release} (${formatCondition(condition)}). ${remedy}`;
}

function formatWithdrawal(isHosted: boolean): string {
  return isHosted
    ? "The HostedCluster's spec.release.image, on the management cluster, names the release."
    : 'Withdraw the request with "oc adm upgrade --clear", or request another update.';
}

function judgeProgress(clusterVersion: ClusterVersion, context: Context): Judgement {
  if (!isUpdating(clusterVersion)) return {};
  const { lastUpdate } = clusterVersion;
  const { target } = context;
  const version = lastUpdate?.isComplete === false ? lastUpdate.version : undefined;
  if (version === target.text) return { notices: [`The update to ${version} has already begun and is not complete.`] };
  if (!leavesMinor(context)) return {};
  const message =
    version === undefined ? "It reports Progressing=True." : `Its last update, to ${version}, is not complete.`;
  return { findings: [{ risk: risks.EarlierUpdateIncomplete.name, object: CLUSTER_VERSION, message }] };
}

function buildUnknown(type: string, { status }: ConditionTexts): Unknown {
  return {
    reason: "NotReported",
    where: `ClusterVersion version, condition ${type}`,
    message: `its status is "${status.slice(0, 40)}"`,
  };
}

/** The risk of the check cluster-operators for the same fault, found at the operator itself. */
const UNHEALTHY = "ClusterOperatorUnhealthy";

/** Whether Failing only says of cluster operators what another check has reported of each of them. */
function areOperatorsReported(
  { reason, message }: Pick<ConditionTexts, "reason" | "message">,
  reported: readonly Finding[],
): boolean {
  if (!/^ClusterOperators?[A-Z]/.test(reason)) return false;
  const names = parseOperators(message);
  const unhealthy = new Set(reported.filter(({ risk }) => risk === UNHEALTHY).map(({ object }) => object.name));
  return names.length > 0 && names.every((name) => unhealthy.has(name));
}

const NAME = "[a-z0-9][-a-z0-9.]*";
/** "Cluster operators dns, etcd are degraded", and as 4.11 and before had it "Some cluster operators are not available: dns, etcd". */
const OPERATORS = new RegExp(
  `^Cluster operators? (${NAME}(?:, ${NAME})*) (?:is|are|has|have)\\b|^Some cluster operators are [a-z ]+: (${NAME}(?:, ${NAME})*)`,
);

/** None if the message has another form. */
function parseOperators(message: string): readonly string[] {
  const match = OPERATORS.exec(message);
  return (match?.[1] ?? match?.[2] ?? "").split(", ").filter((name) => name !== "");
}
