import type { BootImageLimit } from "./limits.ts";

/** The age of a boot image. That of an RHCOS version is the RHEL on which it is based. */
export type BootImage =
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
