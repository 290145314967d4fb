import { getClusterUpdates, nameOf, risksOf, getAcceptedRisks } from "../../lift/objects/cluster-version.ts";
import { type Check, getUnknownRiskName } from "../../model/check.ts";
import { UNSEEN_RISKS } from "../../model/unseen.ts";
import { findNearestName } from "../../model/text.ts";
import { type JsonObject, listAt, textAt } from "../../model/json.ts";
import { checks } from "../../checks/index.ts";
import { FURTHER_RISKS } from "../../model/document.ts";
import { RUNNER_ALERTS } from "../../model/cluster-version-risks.ts";

/** The names of all checks' risks: ours, the update service's, the operator's, and those of our alerts. */
export function listCheckRiskNames(checks: readonly Check[]): readonly string[] {
  const ofChecks = checks.flatMap((check) => {
    const risks = check.risks.flatMap(({ name, knownAs: { published = [], liftedAs } = {} }) => [
      name,
      ...published,
      liftedAs ?? name,
    ]);
    const own = [...check.risks.map(({ name }) => name), getUnknownRiskName(check)];
    return [...risks, ...own, ...own.map((name) => `Preflight${name}`)];
  });
  return [...ofChecks, ...Object.values(UNSEEN_RISKS)];
}

/** The names of the risks of all offered updates, and of those that are accepted already. */
export function listOfferedRiskNames(clusterVersion: JsonObject): readonly string[] {
  const listed = listAt(clusterVersion, "status", "conditionalUpdateRisks").flatMap(
    (risk) => textAt(risk, "name") ?? [],
  );
  const ofUpdates = getClusterUpdates(clusterVersion).conditional.flatMap(risksOf).map(nameOf);
  return [...listed, ...ofUpdates, ...getAcceptedRisks(clusterVersion)];
}

/** "X is not the name of a known risk", with the nearest known name. */
export function describeUnknownName(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  const hint = nearest === undefined ? "see 'preflight list'" : `did you mean ${nearest}?`;
  return `${name} is not the name of a known risk: ${hint}`;
}

/** Alerts of the platform that people know, and that ClusterVersion shows as risks where they tell of an update. */
const PLATFORM_ALERTS = `
  AlertmanagerClusterDown AlertmanagerFailedToSendAlerts CannotRetrieveUpdates ClusterNotUpgradeable
  ClusterOperatorDegraded ClusterOperatorDown ClusterOperatorFlapping ClusterReleaseNotAccepted
  ClusterVersionOperatorDown HighOverallControlPlaneCPU ImagePruningDisabled InsightsDisabled KubeAPIDown
  KubeAPIErrorBudgetBurn KubeControllerManagerDown KubeCPUOvercommit KubeDaemonSetMisScheduled
  KubeDaemonSetNotScheduled KubeDaemonSetRolloutStuck KubeDeploymentReplicasMismatch KubeJobFailed
  KubeJobNotCompleted KubeMemoryOvercommit KubeNodeNotReady KubeNodeReadinessFlapping KubeNodeUnreachable
  KubePersistentVolumeErrors KubePersistentVolumeFillingUp KubePodCrashLooping KubePodNotReady
  KubeQuotaAlmostFull KubeQuotaExceeded KubeSchedulerDown KubeStatefulSetReplicasMismatch KubeletDown
  KubeletTooManyPods MCCDrainError MCDPivotError MCDRebootError MasterNodesHighMemoryUsage
  MachineAPIOperatorMetricsCollectionFailing NodeClockNotSynchronising NodeFilesystemAlmostOutOfSpace
  NodeFilesystemSpaceFillingUp NoRunningOvnMaster PodDisruptionBudgetAtLimit PodDisruptionBudgetLimit
  PodSecurityViolation PrometheusDown PrometheusRuleFailures SystemMemoryExceedsReservation TargetDown
  TechPreviewNoUpgrade ThanosQueryHttpRequestQueryErrorRateHigh UpdateAvailable Watchdog
  APIRemovedInNextReleaseInUse APIRemovedInNextEUSReleaseInUse etcdMembersDown etcdNoLeader
`
  .trim()
  .split(/\s+/);

/** The names of checks and risks that no other check may have. */
export function listTakenNames(ours: readonly Check[] = checks): ReadonlySet<string> {
  return new Set([
    ...ours.map(({ id }) => id),
    ...listCheckRiskNames(ours),
    FURTHER_RISKS,
    ...RUNNER_ALERTS,
    ...PLATFORM_ALERTS,
  ]);
}
