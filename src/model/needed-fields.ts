/** The names of members from an object down. Lists are passed through, and everything below a path belongs to it. */
export type MemberPath = readonly string[];

/** What `keep` of a read needs of its objects: all that is at a place, or only whether something is. */
export type NeededField = { readonly path: MemberPath; readonly isWhole: boolean };

/** The step to an item of a list, or to a member by a key that is not known; where only macros take it, the keys of a map alone count. */
export const ITEMS = "[]";
/** Beside it, the step to the value of such a key. */
export const VALUES = "{}";

export function isAnyStep(step: string | undefined): boolean {
  return step === ITEMS || step === VALUES;
}

/** The first of the fields, as text, that an object may have lost of which only `kept` was kept. */
export function findUnkept(needed: readonly NeededField[], kept: readonly MemberPath[]): string | undefined {
  const places = kept.map(dropItems);
  const lost = needed.find(({ path, isWhole }) => {
    const own = dropItems(path);
    return !places.some((place) => isWithin(own, place) || (!isWhole && isWithin(place, own)));
  });
  return lost && formatMemberPath(lost.path);
}

/** The first of the hidden places, as text, that holds something of what is needed. */
export function findHidden(needed: readonly NeededField[], hidden: readonly MemberPath[]): string | undefined {
  const whole = needed.filter(({ isWhole }) => isWhole);
  const place = hidden.find((one) => whole.some(({ path }) => reaches(path, one)));
  return place && formatMemberPath(place);
}

/** Whether one of the places is, or is within, the other. */
function reaches([step, ...rest]: MemberPath, [own, ...below]: MemberPath): boolean {
  if (step === undefined || own === undefined) return true;
  return (step === own || step === VALUES) && reaches(rest, below);
}

function dropItems(path: MemberPath): MemberPath {
  return path.filter((step) => !isAnyStep(step));
}

/** Is the one path the other, or below it? */
export function isWithin(path: MemberPath, other: MemberPath): boolean {
  return other.every((step, i) => path[i] === step);
}

/** "spec.containers[].name" */
export function formatMemberPath(path: MemberPath): string {
  return path.join(".").replaceAll(`.${ITEMS}`, ITEMS);
}
