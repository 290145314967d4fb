import type { Unknown } from "../../../model/check.ts";
import type { NotJudged } from "../../../model/crd-changes.ts";
import type { Outcome } from "../../../model/report.ts";
import type { CrdSet, VariantChoice } from "./crd-set.ts";
import type { SortedObjects } from "./judged-objects.ts";
import { listEmptySides, listProblems } from "./not-judged-crds.ts";

type Parts = {
  readonly sets: readonly CrdSet[];
  readonly choice: VariantChoice;
  readonly outcome: Outcome;
  readonly variants: { readonly unknowns: readonly NotJudged[] };
  readonly objects: SortedObjects;
};

/** All that could not be judged, each once: the check reports the problems of the new files too. */
export function listUnknowns({ sets, choice, outcome, variants, objects }: Parts): readonly NotJudged[] {
  const problems = listProblems(sets);
  const isProblem = ({ reason, message }: Unknown): boolean =>
    problems.some((problem) => problem.reason === reason && problem.message === message);
  const ofCheck = outcome.kind === "unknown" ? outcome.unknowns : [];
  return [
    ...listEmptySides(sets, choice),
    ...problems,
    ...ofCheck.filter((unknown) => !IGNORED.has(unknown.reason) && !isProblem(unknown)),
    ...variants.unknowns,
    ...objects.unknowns,
  ];
}

/** A cluster's webhooks are not there, and a folder without CRDs is told in words of its own. */
const IGNORED: ReadonlySet<string> = new Set(["NotRecorded", "NoTargetCrds"]);
