import { type MinorVersion, type Version, formatMinor, getMinorOrdinal } from "../../model/version.ts";

export const ANNOTATION = "cloudcredential.openshift.io/upgradeable-to";

const NUMBER = "(0|[1-9]\\d{0,8})";
const PRE = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const VALUE = new RegExp(`^v?${NUMBER}(?:\\.${NUMBER}(?:\\.${NUMBER}(?:-${PRE})?(?:\\+${PRE})?)?)?$`);

/** The release that the annotation names, as the cloud-credential-operator parses it: "4.19", "v4.19.3"; 4 is 4.0. */
export function parseAnnotation(value: string): MinorVersion | undefined {
  const match = VALUE.exec(value);
  return match ? { major: Number(match[1]), minor: Number(match[2] ?? "0") } : undefined;
}

/** `refused`: the operator itself blocks updates to a later minor. `short`: it doesn't, but the annotation names a release before the target. */
export type AnnotationVerdict = "refused" | "short" | "enough";

/** The operator compares with the running release by number: 5.0 comes after 4.23. As targets the two count as one. */
export function judgeAnnotation(value: string | undefined, source: Version, target: Version): AnnotationVerdict {
  const annotated = value === undefined ? undefined : parseAnnotation(value);
  if (!annotated || !isLater(annotated, source)) return "refused";
  return getMinorOrdinal(annotated) < getMinorOrdinal(target) ? "short" : "enough";
}

function isLater(a: MinorVersion, b: MinorVersion): boolean {
  return a.major > b.major || (a.major === b.major && a.minor > b.minor);
}

export function formatAnnotation(value: string | undefined): string {
  if (value === undefined) return `the annotation ${ANNOTATION} is missing`;
  const annotated = parseAnnotation(value);
  if (!annotated) return `the annotation ${ANNOTATION} does not name a release`;
  return `the annotation ${ANNOTATION} names ${formatMinor(annotated)}`;
}
