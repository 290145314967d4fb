import type { Unknown } from "../../../model/check.ts";
import type { NotJudged } from "../../../model/crd-changes.ts";
import { compareText } from "../../../model/json.ts";
import { joinNames } from "../../../model/names.ts";
import type { Outcome } from "../../../model/report.ts";
import type { LeftOutCrd } from "../../../release/payload/crd-variants.ts";
import type { CrdSet, VariantChoice } from "./crd-set.ts";
import type { SortedObjects } from "./judged-objects.ts";

type LeftOut = { readonly unknowns: readonly NotJudged[]; readonly leftOut: readonly NotJudged[] };

/** The variants that are not judged: `leftOut` where somebody chose the feature set or profile that leaves them out. */
export function listLeftOutCrds(from: CrdSet, to: CrdSet, choice: VariantChoice): LeftOut {
  // A variant on both sides is one; its file is the new one.
  const variants = new Map(
    [from, to].flatMap((set) => set.leftOut.map((one) => [buildKey(one), { ...one, locate: set.locate }] as const)),
  );
  const sorted = [...variants].toSorted(([a], [b]) => compareText(a, b)).map(([, variant]) => variant);
  const isChosen = ({ by, isGuess }: LeftOutCrd): boolean =>
    !isGuess && choice.chosen.some((kind) => kind === (by === "featureGate" ? "featureSet" : by));
  const toNotJudged = ({ locate, ...variant }: (typeof sorted)[number]): NotJudged => ({
    reason: REASONS[variant.by],
    where: variant.crd.name,
    message: describe(variant, choice),
    file: locate(variant.file),
  });
  return {
    unknowns: sorted.filter((one) => !isChosen(one)).map(toNotJudged),
    leftOut: sorted.filter(isChosen).map(toNotJudged),
  };
}

function buildKey({ crd, by, why, onlyFor }: LeftOutCrd): string {
  return [crd.name, by, why, ...onlyFor].join("\u0000");
}

/** Reasons are part of the output: they never change. */
const REASONS: Readonly<Record<LeftOutCrd["by"], NotJudged["reason"]>> = {
  annotations: "InvalidAnnotations",
  featureSet: "OtherFeatureSet",
  featureGate: "FeatureGateNotEnabled",
  majorVersion: "OtherMajorVersion",
  profile: "OtherProfile",
};

function describe({ by, why, onlyFor, isGuess }: LeftOutCrd, { featureSet, profile }: VariantChoice): string {
  if (isGuess)
    return `whether its gates are enabled is not known (${why}): put the FeatureGate manifests beside the CRDs`;
  if (by === "featureGate") return `${why} in ${featureSet}: see --feature-set`;
  if (onlyFor.length === 0 || !(by === "featureSet" || by === "profile")) return `its annotations leave it out: ${why}`;
  const [what, judged] = by === "featureSet" ? ["feature-set", featureSet] : ["profile", profile];
  return `it is for ${joinNames(onlyFor)}, and ${judged} is judged: see --${what}`;
}

/** A side of which nothing is left to judge says nothing about the other. */
function listEmptySides(sets: readonly CrdSet[], { featureSet, profile }: VariantChoice): readonly NotJudged[] {
  return sets
    .filter(({ release }) => release.crds.length === 0)
    .map(({ path }) => ({
      reason: "NothingJudged",
      where: path === "-" ? "stdin" : path,
      message: `it has no CRD that can be used for the feature set ${featureSet} and the profile ${profile}`,
    }));
}

/** Files that can't be used, on either side. */
function listProblems(sets: readonly CrdSet[]): readonly NotJudged[] {
  return sets.flatMap(({ release, locate }) =>
    release.problems.map(({ reason, where, message }) => ({
      reason,
      where,
      message,
      file: locate(where),
    })),
  );
}

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
