import { type Version, getMinorOrdinal, parseMinor } from "../../model/version.ts";

/** The oldest boot images that a release accepts, by either of the two kinds of version. */
export type BootImageLimit = { readonly openshift: readonly number[]; readonly rhel: readonly number[] };

type LimitRow = BootImageLimit & { readonly from: string; readonly to: string };

/**
 * Payloads don't carry the limits: they are constants of the machine-config operator
 * (OCPVersionBootImageSkewLimit and RHCOSVersionBootImageSkewLimit in pkg/controller/common/constants.go).
 * Each row is added when a release is known to have it; the last is the newest.
 */
const LIMITS: readonly LimitRow[] = [{ from: "4.22", to: "5.2", openshift: [4, 13, 0], rhel: [9, 2] }];

/** `none`: a release from before the limits. `newer`: one that the table lacks; limits only rise, so it has at least this one. */
export type LimitLookup =
  | { readonly kind: "none" }
  | { readonly kind: "known" | "newer"; readonly limit: BootImageLimit; readonly newest: string };

export function findLimit(target: Version): LimitLookup {
  const ordinal = getMinorOrdinal(target);
  const newest = LIMITS.at(-1);
  if (!newest) return { kind: "none" };
  if (ordinal > parseOrdinal(newest.to)) return { kind: "newer", limit: newest, newest: newest.to };
  const limit = LIMITS.find(({ from, to }) => parseOrdinal(from) <= ordinal && ordinal <= parseOrdinal(to));
  return limit ? { kind: "known", limit, newest: newest.to } : { kind: "none" };
}

/** The first release that guards boot images, as an update reaches it: the target itself, or the one after it. */
export type FirstGuard = { readonly release: string; readonly limit: BootImageLimit };

/** Undefined if the target is further away from it, or the cluster runs a release with the guard already. */
export function findFirstGuard(source: Version, target: Version): FirstGuard | undefined {
  const [first] = LIMITS;
  if (first === undefined) return undefined;
  const ordinal = parseOrdinal(first.from);
  const found = findLimit(target);
  if (found.kind !== "none")
    return getMinorOrdinal(source) < ordinal ? { release: target.text, limit: found.limit } : undefined;
  return getMinorOrdinal(target) === ordinal - 1 ? { release: first.from, limit: first } : undefined;
}

function parseOrdinal(minor: string): number {
  const parsed = parseMinor(minor);
  if (!parsed) throw new Error(`${minor} is not a minor version`);
  return getMinorOrdinal(parsed);
}

/** "OpenShift 4.13.0 or RHEL 9.2". */
export function formatLimit({ openshift, rhel }: BootImageLimit): string {
  return `OpenShift ${openshift.join(".")} or RHEL ${rhel.join(".")}`;
}
