import type { Check, Context, CoveredRisk } from "../model/check.ts";

/** The names of other sources for what these checks cover in this update. */
export function findCoveredRisks(checks: readonly Check[], context: Context): readonly CoveredRisk[] {
  return checks.flatMap((check) => [
    ...findPublished(check, context).map((one) => ({ ...one, source: "published" as const, check: check.id })),
    ...check.risks.flatMap(({ name: risk, knownAs: { liftedAs: name } = {} }) =>
      name === undefined ? [] : [{ name, source: "operator" as const, check: check.id, risk }],
    ),
  ]);
}

function findPublished(check: Check, context: Context): readonly Pick<CoveredRisk, "name" | "risk">[] {
  if (check.special?.covers) return check.special.covers(context);
  return check.risks.flatMap(({ name: risk, knownAs: { published = [] } = {} }) =>
    published.map((name) => ({ name, risk })),
  );
}
