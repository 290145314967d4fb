/**
 * What is asked about one object. `store`: create it under the CRD of before; the rest concerns the object that was stored, under the CRD
 * of after: `read` it, which fields are `pruned`, `create` a copy, write it back `unchanged`, with another label by `replace`, `patch` and server-side `apply`, with
 * another object's spec (`edit`), or with another object's status through the subresource (`status`). `told`: what crd-skew says of it.
 */
export const WAYS = [
  "store",
  "read",
  "pruned",
  "create",
  "unchanged",
  "replace",
  "patch",
  "apply",
  "edit",
  "status",
  "told",
] as const;
export type Way = (typeof WAYS)[number];

/**
 * `details`: the faults that an answer names, such as "FieldValueInvalid spec.a", or what is read; absent where only the outcome counts.
 * `isCut`: there are more faults than are named. `isUnknown`: a rule could not be evaluated, so that there is no verdict of ours.
 */
export type Verdict = {
  readonly passes: boolean;
  readonly details?: readonly string[];
  readonly isCut?: boolean;
  readonly isUnknown?: boolean;
};

/** The verdicts on one object, by what was asked. */
export type Outcome = Readonly<Partial<Record<Way, Verdict>>>;

/** What both have a verdict on. */
export function listCompared(ours: Outcome, theirs: Outcome): readonly Way[] {
  return WAYS.filter((way) => ours[way] !== undefined && theirs[way] !== undefined && !ours[way].isUnknown);
}

export function listDifferences(ours: Outcome, theirs: Outcome): readonly Way[] {
  return listCompared(ours, theirs).filter((way) => {
    const own = ours[way];
    const other = theirs[way];
    return own !== undefined && other !== undefined && !isSame(own, other);
  });
}

function isSame(ours: Verdict, theirs: Verdict): boolean {
  if (ours.passes !== theirs.passes) return false;
  const own = ours.details;
  const other = theirs.details;
  if (own === undefined || other === undefined) return true;
  if (ours.isCut) return own.every((fault) => other.includes(fault));
  return own.join("\n") === other.join("\n");
}
