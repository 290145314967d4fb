import { type Version, getMinorOrdinal, parseMinorOrdinal } from "../../model/version.ts";
import { findCondition } from "../../model/object.ts";
import { at, type JsonObject, objectAt, objectsAt, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";

/** The age of a boot image. That of an RHCOS version is the RHEL on which it is based. */
type BootImage =
  | { readonly kind: "openshift"; readonly version: readonly number[] }
  | { readonly kind: "rhcos"; readonly rhel: readonly number[] };

/** Parses "4.13.0". */
export function parseOpenShiftVersion(text: string): BootImage | undefined {
  const version = parseNumbers(/^(\d{1,4})\.(\d{1,4})\.(\d{1,4})$/.exec(text));
  return version ? { kind: "openshift", version } : undefined;
}

/**
 * Parses both forms of RHCOS versions: with a date of 8 digits the first two numbers are RHEL's (9.6.20251023-0 is RHEL 9.6);
 * with a time of 12 digits they are OpenShift's and RHEL's without its dot (48.84.202208021106-0 is RHEL 8.4, 413.92 is 9.2).
 */
export function parseRhcosVersion(text: string): BootImage | undefined {
  const rhel =
    parseNumbers(/^(\d{1,2})\.(\d{1,3})\.\d{8}-\d+$/.exec(text)) ??
    parseNumbers(/^\d{1,4}\.([1-9])(\d{1,2})\.\d{12}-\d+$/.exec(text));
  return rhel ? { kind: "rhcos", rhel } : undefined;
}

function parseNumbers(match: RegExpExecArray | null): readonly number[] | undefined {
  return match?.slice(1).map(Number);
}

export function isOlder(image: BootImage, limit: BootImageLimit): boolean {
  return image.kind === "openshift" ? isLessThan(image.version, limit.openshift) : isLessThan(image.rhel, limit.rhel);
}

function isLessThan(a: readonly number[], b: readonly number[]): boolean {
  for (const [i, right] of b.entries()) {
    const left = a[i] ?? 0;
    if (left !== right) return left < right;
  }
  return false;
}

/** "that of OpenShift 4.12.3", or "412.86.202301061548-0, which is based on RHEL 8.6". */
export function formatBootImage(image: BootImage, text: string): string {
  return image.kind === "openshift"
    ? `that of OpenShift ${text}`
    : `${text}, which is based on RHEL ${image.rhel.join(".")}`;
}

/** The oldest boot images that a release accepts, by either of the two kinds of version. */
type BootImageLimit = { readonly openshift: readonly number[]; readonly rhel: readonly number[] };

/** `updates`: the platforms on which the release updates the boot images of machine sets itself, unless it is told otherwise. */
type LimitRow = BootImageLimit & { readonly from: string; readonly to: string; readonly updates: readonly string[] };

/**
 * Payloads don't carry the limits: they are constants of the machine-config operator
 * (OCPVersionBootImageSkewLimit and RHCOSVersionBootImageSkewLimit in pkg/controller/common/constants.go).
 * The gates ManagedBootImages... of these platforms were on by default in 4.21, and are gone since.
 * Each row is added when a release is known to have it; the last is the newest.
 */
const LIMITS: readonly LimitRow[] = [
  { from: "4.22", to: "5.2", openshift: [4, 13, 0], rhel: [9, 2], updates: ["AWS", "Azure", "GCP", "VSphere"] },
];

/** `none`: a release from before the limits. `newer`: one that the table lacks; limits only rise, so it has at least this one. */
export type LimitLookup =
  | { readonly kind: "none" }
  | { readonly kind: "known" | "newer"; readonly limit: BootImageLimit; readonly newest: string };

export function findLimit(target: Version): LimitLookup {
  const ordinal = getMinorOrdinal(target);
  const newest = LIMITS.at(-1);
  if (!newest) return { kind: "none" };
  if (ordinal > parseMinorOrdinal(newest.to)) return { kind: "newer", limit: newest, newest: newest.to };
  const limit = LIMITS.find(({ from, to }) => parseMinorOrdinal(from) <= ordinal && ordinal <= parseMinorOrdinal(to));
  return limit ? { kind: "known", limit, newest: newest.to } : { kind: "none" };
}

/** The first release that guards boot images, as an update reaches it: the target itself, or the one after it. */
export type FirstGuard = {
  readonly release: string;
  readonly limit: BootImageLimit;
  /** Whether it updates boot images itself on a platform; undefined if that isn't known of the release. */
  readonly updatesOn: (platform: string) => boolean | undefined;
};

/** Undefined if the target is further away from it, or the cluster runs a release with the guard already. */
export function findFirstGuard(source: Version, target: Version): FirstGuard | undefined {
  const [first] = LIMITS;
  if (first === undefined) return undefined;
  const ordinal = parseMinorOrdinal(first.from);
  const found = findLimit(target);
  const updatesOn = (platform: string): boolean | undefined =>
    first.updates.includes(platform) || (platform === "" || found.kind === "newer" ? undefined : false);
  if (found.kind !== "none")
    return getMinorOrdinal(source) < ordinal ? { release: target.text, limit: found.limit, updatesOn } : undefined;
  return getMinorOrdinal(target) === ordinal - 1 ? { release: first.from, limit: first, updatesOn } : undefined;
}

/** "OpenShift 4.13.0 or RHEL 9.2". */
export function formatLimit({ openshift, rhel }: BootImageLimit): string {
  return `OpenShift ${openshift.join(".")} or RHEL ${rhel.join(".")}`;
}

export const MACHINE_CONFIGURATION: ObjectRef = {
  apiVersion: "operator.openshift.io/v1",
  kind: "MachineConfiguration",
  name: "cluster",
};

const STATUS_FIELD = "bootImageSkewEnforcementStatus";

/** The boot image that the cluster uses according to the field at `path`. `image` is absent if `text` can't be parsed. */
export type RecordedBootImage = { readonly path: string; readonly text: string; readonly image?: BootImage };

/**
 * The boot image skew that machineconfigurations.operator.openshift.io/cluster reports; `absent`: it reports none. `updatesAll`: its spec
 * lets the operator update all machine sets.
 * `updateState` of Automatic: the state of the controller that updates boot images.
 */
export type SkewStatus =
  | { readonly mode: "absent"; readonly updatesAll: boolean }
  | { readonly mode: "None" }
  | { readonly mode: "Manual"; readonly bootImage: RecordedBootImage }
  | {
      readonly mode: "Automatic";
      readonly bootImage: RecordedBootImage;
      readonly updateState: "settled" | "unsettled" | "degraded";
    }
  | { readonly mode: "other"; readonly text: string };

export function keepSkewStatus(object: JsonObject): SkewStatus {
  const status = objectAt(object, "status", STATUS_FIELD);
  const mode = textAt(status, "mode");
  if (mode === undefined || mode === "") return { mode: "absent", updatesAll: updatesAllMachineSets(object) };
  if (mode === "None") return { mode };
  if (mode === "Manual") return { mode, bootImage: parseRecordedBootImage(objectAt(status, "manual"), "manual") };
  if (mode !== "Automatic") return { mode: "other", text: mode };
  return {
    mode,
    bootImage: parseRecordedBootImage(objectAt(status, "automatic"), "automatic"),
    updateState: getUpdateState(object),
  };
}

/** Where a list of managers says nothing of machine sets, the default is all of them; an empty list is none. */
function updatesAllMachineSets(object: JsonObject): boolean {
  const managers = objectsAt(object, "spec", "managedBootImages", "machineManagers");
  if (managers.length === 0) return at(object, "spec", "managedBootImages", "machineManagers") === undefined;
  return managers
    .filter((one) => textAt(one, "resource") === "machinesets")
    .every((one) => textAt(one, "selection", "mode") === "All");
}

/** If both versions are set, the machine-config operator reads only that of OpenShift. */
function parseRecordedBootImage(member: JsonObject, name: string): RecordedBootImage {
  const openshift = textAt(member, "ocpVersion") ?? "";
  const rhcos = textAt(member, "rhcosVersion") ?? "";
  const [field, text] = openshift === "" && rhcos !== "" ? ["rhcosVersion", rhcos] : ["ocpVersion", openshift];
  const image = field === "ocpVersion" ? parseOpenShiftVersion(text) : parseRhcosVersion(text);
  return { path: `status.${STATUS_FIELD}.${name}.${field}`, text, image };
}

/** While Progressing is True or not reported, the operator concludes nothing from Degraded or the recorded version. */
function getUpdateState(object: JsonObject): "settled" | "unsettled" | "degraded" {
  const getStatus = (type: string): string | undefined => textAt(findCondition(object, type), "status");
  const progressing = getStatus("BootImageUpdateProgressing");
  if (progressing === undefined || progressing === "True") return "unsettled";
  return getStatus("BootImageUpdateDegraded") === "True" ? "degraded" : "settled";
}
