import type { Applicability } from "../../model/check.ts";
import { type Platform, formatMinor, getOpenShiftMinor, getOpenShiftOrdinal, parseMinor } from "../../model/version.ts";
import type { AppliesDefinition } from "./definition.ts";

export const PLATFORM_NAMES: Readonly<Record<Platform, string>> = { openshift: "OpenShift", kubernetes: "Kubernetes" };

/** What changes with a minor of Kubernetes changes on OpenShift with the release that contains it. */
export function listPlatforms({ platforms, kubernetes }: AppliesDefinition): readonly Platform[] {
  return platforms ?? (kubernetes === undefined ? ["openshift"] : ["openshift", "kubernetes"]);
}

export function buildApplicability(applies: AppliesDefinition): Applicability {
  const { leavesMinor, updates = ["patch", "minor", "rollback"] } = applies;
  const boundary = findBoundary(applies);
  if (boundary !== undefined) return boundary;
  return leavesMinor === true ? { kind: "leavesMinor" } : { kind: "updates", kinds: updates };
}

type Boundary = Extract<Applicability, { kind: "crosses" }>;

/** The minors that an update has to cross, of a check that needs one to be crossed. */
export function findBoundary({ crosses, openshift, kubernetes }: AppliesDefinition): Boundary | undefined {
  const other = kubernetes && parseMinor(kubernetes.crosses)?.minor;
  const minor = crosses ?? openshift?.crosses ?? (other === undefined ? undefined : formatContaining(other));
  if (minor === undefined) return undefined;
  return other === undefined ? { kind: "crosses", minor } : { kind: "crosses", minor, kubernetes: other };
}

/** The minor of OpenShift that contains a minor of Kubernetes. No cluster runs 4.0, so none crosses what came before. */
export function formatContaining(kubernetesMinor: number): string {
  return formatMinor(getOpenShiftMinor(Math.max(getOpenShiftOrdinal(kubernetesMinor), 0)));
}

/** The platform whose minors `ordinal` counts: in a check for Kubernetes alone those of Kubernetes. */
export function findOrdinals(applies: AppliesDefinition): Platform {
  return listPlatforms(applies).includes("openshift") ? "openshift" : "kubernetes";
}
