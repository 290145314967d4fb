import type { Judgement } from "../../model/check.ts";
import { getInfrastructurePlatform } from "../../model/infrastructure.ts";
import { type JsonObject, listAt, textAt } from "../../model/json.ts";
import { type Get, type ReadResults, get } from "../../model/read.ts";
import type { Version } from "../../model/version.ts";
import { isOlder, parseOpenShiftVersion, type FirstGuard, formatLimit } from "./boot-image.ts";

/** What decides which boot image the first release with the guard assumes, where nobody has recorded one. */
export type InstallationReads = { readonly installed: Get<string>; readonly infrastructure: Get<Infrastructure> };
type Infrastructure = { readonly topology: string; readonly platform: string };

export function buildInstallationReads(): InstallationReads {
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

/** Where no boot image is recorded yet, a notice says what the first release with the guard makes of it. What could not be read, the runner reports. */
export function judgeInstallation(
  { installed, infrastructure }: Partial<ReadResults<InstallationReads>>,
  { limit, release }: FirstGuard,
  target: Version,
): Judgement {
  const unrecorded = "MachineConfiguration cluster reports no boot image skew in its status.";
  if (installed === undefined) return {};
  const { topology, platform } = infrastructure?.kind === "found" ? infrastructure.value : UNKNOWN;
  if (installed.kind !== "found" || UNGUARDED.has(topology)) return { notApplicable: unrecorded };
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
  return { notices: [buildNotice(verdict, { limit, release }, target, platform === "BareMetal")] };
}

const UNKNOWN: Infrastructure = { topology: "", platform: "" };
/** On a single node the default mode is None. A hosted control plane has no such operator. */
const UNGUARDED: ReadonlySet<string> = new Set(["SingleReplica", "External"]);

function buildNotice(verdict: string, { limit, release }: FirstGuard, target: Version, isBareMetal: boolean): string {
  const after = release === target.text ? "" : ` (the release after ${target.text})`;
  const exception = isBareMetal
    ? " On bare metal it does so only if Provisioning provisioning-configuration has a spec.provisioningOSDownloadURL."
    : "";
  return `${release}${after} is the first release of this cluster that guards boot images, and none is recorded. Unless ${release} can update them itself, it ${verdict} (at least ${formatLimit(limit)}): the machine-config operator then reports Upgradeable=False, and the next minor update is refused.${exception} Update the boot images, and record their version in spec.bootImageSkewEnforcement of MachineConfiguration cluster once ${release} runs.`;
}
