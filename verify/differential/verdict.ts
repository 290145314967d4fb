/**
 * What is asked about one object. `store`: create it under the CRD that stores it; the rest concerns the object that was stored, under the
 * CRD of after, through each version: `read` it, `create` a copy, write it back `unchanged`, with another label by `replace`, `patch` and
 * server-side `apply`, without its finalizers (`finalize`), with another object's spec (`edit`), or with another object's status through the
 * subresource (`status`), or with other numbers of replicas (`scale`, `rescale`). `told`: which writes through the version get worse, as crd-skew says and as
 * they do.
 */
export type Way = string;

/** "label v1": a way through a version. */
export function nameWay(way: string, version: string): Way {
  return `${way} ${version}`;
}

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
export type Outcome = Readonly<Record<Way, Verdict>>;

/** Writes by which what crd-skew tells is measured. */
export const TOLD_WRITES = ["replace", "apply", "create", "scale"] as const;
export type ToldWrite = (typeof TOLD_WRITES)[number];

/** The writes that pass before the update and not after it. `replicas`: the field that scaling changes. */
export function findWorse(before: Outcome, after: Outcome, replicas: string | undefined): Verdict {
  const isWorse = (write: ToldWrite): boolean => {
    if (write === "scale") return isScaleWorse(before, after, replicas);
    return before[write]?.passes === true && after[write]?.passes === false;
  };
  return formatTold(TOLD_WRITES.filter(isWorse));
}

/** Told where a label passes. A number may be refused for itself. */
function isScaleWorse(before: Outcome, after: Outcome, replicas: string | undefined): boolean {
  const isLabelled = [before, after].every((outcome) => outcome["replace"]?.passes);
  return isLabelled && canScale(before, replicas) && !canScale(after, replicas);
}

/** Does nothing but the number itself refuse another one? */
export function canScale({ scale, rescale }: Outcome, replicas: string | undefined): boolean {
  return [scale, rescale].some(
    (verdict) => verdict?.passes || verdict?.details?.every((fault) => fault.endsWith(` ${replicas}`)),
  );
}

export function formatTold(worse: readonly ToldWrite[]): Verdict {
  return { passes: worse.length === 0, details: TOLD_WRITES.filter((write) => worse.includes(write)) };
}

/** What both have a verdict on. */
export function listCompared(ours: Outcome, theirs: Outcome): readonly Way[] {
  return Object.keys(theirs).filter((way) => ours[way] !== undefined && !ours[way].isUnknown);
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
