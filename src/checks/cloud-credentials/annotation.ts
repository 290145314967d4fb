import { type MinorVersion, type Version, getMinorOrdinal, formatMinor } from "../../model/version.ts";

export const ANNOTATION = "cloudcredential.openshift.io/upgradeable-to";

const NUMBER = "(0|[1-9]\\d{0,8})";
const PRE = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const VALUE = new RegExp(`^v?${NUMBER}(?:\\.${NUMBER}(?:\\.${NUMBER}(?:-${PRE})?(?:\\+${PRE})?)?)?$`);

/** The release that the annotation vouches for, as the cloud-credential-operator reads it: "4.19", "v4.19.3"; 4 is 4.0. */
export function parseAnnotation(value: string): MinorVersion | undefined {
  const match = VALUE.exec(value);
  return match ? { major: Number(match[1]), minor: Number(match[2] ?? "0") } : undefined;
}

/** `refused`: the operator itself lets no update to a later minor pass. `short`: it does, but nobody vouched for this target. */
export type AnnotationVerdict = "refused" | "short" | "enough";

/** The operator compares with the release that runs, by number: 5.0 comes after 4.23. For the target the two are one. */
export function judgeAnnotation(value: string | undefined, source: Version, target: Version): AnnotationVerdict {
  const vouchedMinor = value === undefined ? undefined : parseAnnotation(value);
  if (!vouchedMinor || !isLater(vouchedMinor, source)) return "refused";
  return getMinorOrdinal(vouchedMinor) < getMinorOrdinal(target) ? "short" : "enough";
}

function isLater(a: MinorVersion, b: MinorVersion): boolean {
  return a.major > b.major || (a.major === b.major && a.minor > b.minor);
}

export function formatAnnotation(value: string | undefined): string {
  if (value === undefined) return `the annotation ${ANNOTATION} is missing`;
  const vouchedMinor = parseAnnotation(value);
  if (!vouchedMinor) return `the annotation ${ANNOTATION} names no release`;
  return `the annotation ${ANNOTATION} says ${formatMinor(vouchedMinor)}`;
}
