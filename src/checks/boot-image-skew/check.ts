import { type Finding, type Judgement, type Unknown, defineCheck } from "../../model/check.ts";
import { type GetResult, get } from "../../model/read.ts";
import { type Version, formatMinor } from "../../model/version.ts";
import { formatBootImage, isOlder, type LimitLookup, findFirstGuard, findLimit, formatLimit } from "./boot-image.ts";
import { buildInstallationReads, judgeInstallation } from "./installation.ts";
import { risks } from "./risks.ts";
import { MACHINE_CONFIGURATION, type RecordedBootImage, type SkewStatus, keepSkewStatus } from "./skew-status.ts";

type ApplicableLimit = Exclude<LimitLookup, { kind: "none" }>;
type AutomaticStatus = Extract<SkewStatus, { mode: "Automatic" }>;

export default defineCheck({
  id: "boot-image-skew",
  title: "New nodes start from boot images that the target accepts",
  risks: Object.values(risks),
  // Rollbacks and patch updates don't raise the limit, and the operator doesn't block them.
  applies: { kind: "updates", kinds: ["minor"] },
  reads: () => ({ status: get("operator.openshift.io/v1/machineconfigurations", "cluster", keepSkewStatus) }),
  mayRead: buildInstallationReads,
  follow: ({ status }, { source, target }) =>
    isUnrecorded(status) && findFirstGuard(source, target) ? buildInstallationReads() : {},
  evaluate({ status }, { source, target }, followed): Judgement {
    const limit = findLimit(target);
    const firstGuard = findFirstGuard(source, target);
    if (isUnrecorded(status) && firstGuard !== undefined) return judgeInstallation(followed, firstGuard, target);
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
