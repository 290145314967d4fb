import { type Version, formatMinor } from "../../model/version.ts";
import { readRisks } from "../shared/risks.ts";
import type { LimitLookup, RecordedBootImage, SkewStatus, FirstGuard } from "./boot-image.ts";
import {
  findLimit,
  formatLimit,
  formatBootImage,
  isOlder,
  findFirstGuard,
  MACHINE_CONFIGURATION,
  keepSkewStatus,
  parseOpenShiftVersion,
} from "./boot-image.ts";
import { type Finding, type Judgement, type Unknown, defineCheck } from "../../model/check.ts";
import { type GetResult, type Get, type ReadResults, get } from "../../model/read.ts";
import { getInfrastructurePlatform } from "../../model/infrastructure.ts";
import { type JsonObject, listAt, textAt } from "../../model/json.ts";

const risks = readRisks("boot-image-skew", {
  BootImageTooOld: { message: { least: (_, { target }) => formatLeast(target) } },
  BootImageUpdateFailing: {},
});

function formatLeast(target: Version): string {
  const limit = findLimit(target);
  return limit.kind === "none" ? "" : ` (at least ${formatLimit(limit.limit)})`;
}

type ApplicableLimit = Exclude<LimitLookup, { kind: "none" }>;
type AutomaticStatus = Extract<SkewStatus, { mode: "Automatic" }>;

export default defineCheck({
  id: "boot-image-skew",
  title: "New nodes start from boot images that the target accepts",
  risks: Object.values(risks),
  // Rollbacks and patch updates don't raise the limit, and the operator doesn't block them.
  applies: { kind: "updates", kinds: ["minor"] },
  hosted: {
    notApplicable:
      "The control plane is hosted, so NodePools choose the boot images of new nodes, on the management cluster.",
  },
  reads: () => ({ status: get("operator.openshift.io/v1/machineconfigurations", "cluster", keepSkewStatus) }),
  mayRead: buildInstallationReads,
  follow: ({ status }, { source, target }) =>
    isUnrecorded(status) && findFirstGuard(source, target) ? buildInstallationReads() : {},
  evaluate({ status }, { source, target }, followed): Judgement {
    const limit = findLimit(target);
    const firstGuard = findFirstGuard(source, target);
    if (isUnrecorded(status) && firstGuard !== undefined)
      return judgeInstallation(followed, { ...firstGuard, target, updatesAll: updatesAllMachineSets(status) });
    if (limit.kind === "none")
      return { notApplicable: `${target.text} has no limit on boot images: only 4.22 and later have one.` };
    if (status.kind === "absent")
      return { notApplicable: "The cluster has no machineconfigurations.operator.openshift.io cluster." };
    return judgeStatus(status.value, limit, target);
  },
});

/** Whether the machine-config operator runs, and records no boot image yet. */
function isUnrecorded(status: GetResult<SkewStatus>): boolean {
  return status.kind === "found" && status.value.mode === "absent";
}

function updatesAllMachineSets(status: GetResult<SkewStatus>): boolean {
  return status.kind === "found" && status.value.mode === "absent" && status.value.updatesAll;
}

function judgeStatus(status: SkewStatus, limit: ApplicableLimit, target: Version): Judgement {
  switch (status.mode) {
    case "absent":
      return { notApplicable: "MachineConfiguration cluster reports no boot image skew in its status." };
    case "None":
      return { notices: [buildModeNoneNotice(limit, target)] };
    case "other":
      return buildUnknown(
        "NotUnderstood",
        "status.bootImageSkewEnforcementStatus.mode",
        `preflight doesn't know mode "${status.text}"`,
      );
    case "Manual":
      return judgeImage(status.bootImage, limit, target);
    case "Automatic":
      if (status.updateState === "degraded") return { findings: [buildUpdateFailingFinding()] };
      return deferWhileUpdating(judgeImage(status.bootImage, limit, target), status);
  }
}

function judgeImage({ path, text, image }: RecordedBootImage, limit: ApplicableLimit, target: Version): Judgement {
  if (text === "") return buildUnknown("NotReported", path, "it is missing");
  if (!image)
    return buildUnknown(
      "NotUnderstood",
      path,
      `"${text}" is not the version of a boot image, and the operator ignores it`,
    );
  if (isOlder(image, limit.limit)) return { findings: [buildTooOldFinding(path, formatBootImage(image, text))] };
  if (limit.kind === "known") return {};
  const message = `this preflight knows the limits up to ${limit.newest}, and payloads don't contain them`;
  return { unknowns: [{ reason: "LimitUnknown", where: `the limit of ${formatMinor(target)}`, message }] };
}

/** A version that is about to change is not a fault yet, and one that is new enough stays new enough. */
function deferWhileUpdating(judgement: Judgement, { bootImage, updateState }: AutomaticStatus): Judgement {
  if (updateState === "settled" || judgement.findings === undefined) return judgement;
  return buildUnknown(
    "NotReported",
    bootImage.path,
    `${bootImage.text} is too old, but no completed update of the boot images is reported`,
  );
}

function buildUnknown(reason: Unknown["reason"], path: string, message: string): Judgement {
  return { unknowns: [{ reason, where: `MachineConfiguration cluster ${path}`, message }] };
}

function buildTooOldFinding(path: string, image: string): Finding {
  return {
    risk: risks.BootImageTooOld.name,
    object: MACHINE_CONFIGURATION,
    path,
    message: `The recorded boot image is ${image}.`,
  };
}

function buildUpdateFailingFinding(): Finding {
  return {
    risk: risks.BootImageUpdateFailing.name,
    object: MACHINE_CONFIGURATION,
    path: "status.conditions[BootImageUpdateDegraded]",
    message: "The controller that updates the boot images is degraded.",
  };
}

function buildModeNoneNotice({ limit }: ApplicableLimit, target: Version): string {
  return `Boot image skew enforcement has mode None, so nothing checks the boot images of new nodes: before adding a node, check that its image is one that ${target.text} accepts (at least ${formatLimit(limit)}).`;
}

/** What decides which boot image the first release with the guard assumes, where nobody has recorded one. */
export type InstallationReads = { readonly installed: Get<string>; readonly infrastructure: Get<Infrastructure> };
type Infrastructure = { readonly topology: string; readonly platform: string };

function buildInstallationReads(): InstallationReads {
  return {
    installed: get("config.openshift.io/v1/clusterversions", "version", keepInstalledVersion),
    infrastructure: get("config.openshift.io/v1/infrastructures", "cluster", (object) => ({
      topology: textAt(object, "status", "controlPlaneTopology") ?? "",
      platform: getInfrastructurePlatform(object),
    })),
  };
}

/**
 * As the machine-config operator takes it: the oldest completed entry of the history, or else the oldest. Operators before 4.10 dropped the
 * first entries of a long history, and later ones keep the first: so what is missing is older still, and the oldest entry is too old anyway.
 */
function keepInstalledVersion(clusterVersion: JsonObject): string {
  const history = listAt(clusterVersion, "status", "history");
  const completed = history.findLast((entry) => textAt(entry, "state") === "Completed");
  return textAt(completed ?? history.at(-1), "version") ?? "";
}

type FirstGuardContext = FirstGuard & { readonly target: Version; readonly updatesAll: boolean };

/** Where no boot image is recorded yet, a notice says what the first release with the guard makes of it. What could not be read, the runner reports. */
function judgeInstallation(
  { installed, infrastructure }: Partial<ReadResults<InstallationReads>>,
  guard: FirstGuardContext,
): Judgement {
  const { limit, release } = guard;
  const unrecorded = "MachineConfiguration cluster reports no boot image skew in its status.";
  if (installed === undefined) return {};
  const { topology, platform } = infrastructure?.kind === "found" ? infrastructure.value : UNKNOWN;
  if (installed.kind !== "found" || topology === UNGUARDED) return { notApplicable: unrecorded };
  const version = installed.value;
  // A release candidate has the boot images of its release.
  const image = parseOpenShiftVersion(version.replace(/[-+].*$/, ""));
  if (image !== undefined && !isOlder(image, limit)) {
    const assumption = `By default ${release} assumes those of the installation, ${version}, and accepts them.`;
    return { notApplicable: `${unrecorded} ${assumption}`, irrelevantReads: ["infrastructure"] };
  }
  if (infrastructure === undefined) return {};
  const verdict =
    image === undefined
      ? "finds no version of the installation in ClusterVersion's history, which counts as too old"
      : `assumes those of the installation, ${version}, which are older than it accepts`;
  return { notices: [buildNotice(verdict, guard, platform)] };
}

const UNKNOWN: Infrastructure = { topology: "", platform: "" };
/** On a single node the default mode is None. */
const UNGUARDED = "SingleReplica";

function buildNotice(verdict: string, guard: FirstGuardContext, platform: string): string {
  const { limit, release, target } = guard;
  const after = release === target.text ? "" : ` (the release after ${target.text})`;
  const exception =
    platform === "BareMetal"
      ? " On bare metal it does so only if Provisioning provisioning-configuration has a spec.provisioningOSDownloadURL."
      : "";
  return `${release}${after} is the first release of this cluster that guards boot images, and none is recorded. ${formatUpdater(guard, platform)} ${verdict} (at least ${formatLimit(limit)}): the machine-config operator then reports Upgradeable=False, and the next minor update is refused.${exception} ${formatAdvice(guard, platform)}`;
}

/** Whether the operator updates the boot images of this platform, up to the verb of what it does otherwise. */
function formatUpdater({ release, updatesOn, updatesAll }: FirstGuardContext, platform: string): string {
  switch (updatesOn(platform)) {
    case undefined:
      return `Unless ${release} can update them itself, it`;
    case false:
      return `On the platform ${platform}, ${release} can't update them itself, so it`;
    case true:
      return updatesAll
        ? `On the platform ${platform}, ${release} updates those of machine sets itself. Only if it has to leave out a machine set, it`
        : `On the platform ${platform}, ${release} can update them itself. But spec.managedBootImages of MachineConfiguration cluster doesn't select all machine sets, so ${release}`;
  }
}

function formatAdvice({ release, updatesOn, updatesAll }: FirstGuardContext, platform: string): string {
  const record = `record their version in spec.bootImageSkewEnforcement of MachineConfiguration cluster once ${release} runs.`;
  if (updatesOn(platform) !== true) return `Update the boot images, and ${record}`;
  return updatesAll
    ? "Nodes that no machine set creates keep the boot images that they are created from: update those by hand."
    : `Select all machine sets there, or update the boot images and ${record}`;
}
