import type { EachPredicate, ItemTest } from "./known-bug.ts";

const SUCCEEDED: readonly ItemTest[] = [
  { at: 'metadata.labels."olm.copiedFrom"', is: "absent" },
  { at: "status.phase", equals: "Succeeded" },
];

/** Operators that OLM has installed, by the names' part before the version. Its copies in other namespaces say nothing more. */
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
