import { type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { get } from "../../model/read.ts";
import { type Version, minorText } from "../../model/version.ts";
import { bootImageText, isOlder } from "./boot-image.ts";
import { type LimitOf, limitOf, limitText } from "./limits.ts";
import { bootImageTooOld, bootImageUpdateFails } from "./risks.ts";
import { MACHINE_CONFIGURATION, type Recorded, type SkewStatus, keepSkewStatus } from "./skew-status.ts";

type Limited = Exclude<LimitOf, { kind: "none" }>;
type Automatic = Extract<SkewStatus, { mode: "Automatic" }>;

export default defineCheck({
  id: "boot-image-skew",
  name: "BootImageSkew",
  title: "New nodes start from boot images that the target accepts",
  risks: [bootImageTooOld, bootImageUpdateFails],
  // A rollback or a patch update doesn't raise the limit, and the operator's guard doesn't hold them back.
  applies: { kind: "updates", kinds: ["minor"] },
  needsManifests: false,
  reads: () => ({ status: get("operator.openshift.io/v1/machineconfigurations", "cluster", keepSkewStatus) }),
  evaluate({ status }, { target }): Judgement {
    const limit = limitOf(target);
    if (limit.kind === "none") return { notApplicable: `${target.text} has no limit on boot images: 4.22 brought it.` };
    if (status.kind === "absent")
      return { notApplicable: "There is no machineconfigurations.operator.openshift.io cluster." };
    return judgeStatus(status.value, limit, target);
  },
});

function judgeStatus(status: SkewStatus, limit: Limited, target: Version): Judgement {
  switch (status.mode) {
    case "absent":
      return { notApplicable: "The status of MachineConfiguration cluster says nothing of boot image skew." };
    case "None":
      return { notices: [noneNotice(limit, target)] };
    case "other":
      return blind("status.bootImageSkewEnforcementStatus.mode", `mode "${status.text}" is not known`);
    case "Manual":
      return judgeImage(status.recorded, limit, target);
    case "Automatic":
      if (status.updates === "degraded") return { findings: [updateFails()] };
      return settled(judgeImage(status.recorded, limit, target), status);
  }
}

function judgeImage({ path, text, image }: Recorded, limit: Limited, target: Version): Judgement {
  if (!image) return blind(path, `"${text}" is no version of a boot image, and the operator ignores it`);
  if (isOlder(image, limit.limit)) return { findings: [tooOld(path, text, bootImageText(image))] };
  if (limit.kind === "known") return {};
  const message = `limits are known up to ${limit.newest}, and payloads don't carry them: use a newer preflight`;
  return { blind: [{ reason: "LimitUnknown", where: `the limit of ${minorText(target)}`, message }] };
}

/** A version that is about to change is no fault yet, and one that is new enough stays so. */
function settled(judgement: Judgement, { recorded, updates }: Automatic): Judgement {
  if (updates === "settled" || judgement.findings === undefined) return judgement;
  return blind(recorded.path, `${recorded.text} is too old, but no finished update of the boot images is reported`);
}

function blind(path: string, message: string): Judgement {
  return { blind: [{ reason: "NotUnderstood", where: `MachineConfiguration cluster ${path}`, message }] };
}

function tooOld(path: string, text: string, image: string): Finding {
  return {
    risk: bootImageTooOld.name,
    object: MACHINE_CONFIGURATION,
    path,
    message: `The recorded boot image ${text} is of ${image}.`,
  };
}

function updateFails(): Finding {
  return {
    risk: bootImageUpdateFails.name,
    object: MACHINE_CONFIGURATION,
    path: "status.conditions[BootImageUpdateDegraded]",
    message: "The controller that updates the boot images is degraded.",
  };
}

function noneNotice({ limit }: Limited, target: Version): string {
  return `Mode None of boot image skew enforcement: nobody watches that new nodes start from images that ${target.text} accepts (at least ${limitText(limit)}).`;
}
