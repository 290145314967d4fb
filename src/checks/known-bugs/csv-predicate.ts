import type { EachPredicate, ItemTest } from "./known-bug.ts";

const SUCCEEDED: readonly ItemTest[] = [
  { at: 'metadata.labels."olm.copiedFrom"', is: "absent" },
  { at: "status.phase", equals: "Succeeded" },
];

/** Operators that OLM installed, by the part of their names before the version. OLM's copies in other namespaces don't count. */
export function buildCsvPredicate(of: {
  readonly csv: string;
  readonly before?: string;
  readonly where?: ItemTest;
}): EachPredicate {
  const before: readonly ItemTest[] = of.before ? [{ at: "spec.version", version: { before: of.before } }] : [];
  const where: readonly ItemTest[] = of.where ? [of.where] : [];
  return {
    each: "operators.coreos.com/v1alpha1/clusterserviceversions",
    where: { allOf: [{ at: "metadata.name", matches: `^(?:${of.csv})[.]` }, ...SUCCEEDED, ...before, ...where] },
  };
}
