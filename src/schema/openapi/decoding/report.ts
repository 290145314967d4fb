import { NEWEST_MINOR } from "../server-features.ts";

/**
 * Why an API server refuses a CRD: the path in the definition and the reason. `version` is "" if the path is not within one
 * version.
 */
export type Refusal = { readonly version: string; readonly path: string; readonly reason: string };

/** The verdict on a CRD. `undecided`: parts that preflight can't judge, for which the API server may refuse the CRD. */
export type Verdict = { readonly refusals: readonly Refusal[]; readonly undecided: readonly Refusal[] };

/** Why a schema is refused, and the step to what is wrong. */
export type Fault = readonly [step: string, reason: string];

/** The place that is being judged, by an API server of Kubernetes 1.`minor`, and the refusals that are collected for the whole definition. */
export type Place = {
  readonly report: { readonly refusals: Refusal[]; readonly undecided: Refusal[] };
  readonly minor: number;
  readonly version: string;
  readonly path: string;
};

/** A new report, at the root of what is judged. */
export function startReport(minor = NEWEST_MINOR): Place {
  return { report: { refusals: [], undecided: [] }, minor, version: "", path: "" };
}

/** The first refusal of what is judged by itself. */
export function findFault(judge: (root: Place) => void, minor?: number): Fault | undefined {
  const root = startReport(minor);
  judge(root);
  const [first] = root.report.refusals;
  return first && [first.path, first.reason];
}

/** The place that a step leads to: ".items", "[0]". */
export function enter({ report, minor, version, path }: Place, step: string): Place {
  return { report, minor, version, path: path + step };
}

/** Refuses what is at the end of a step, which is "" for the place itself. */
export function refuse({ report, version, path }: Place, step: string, reason: string): void {
  report.refusals.push({ version, path: path + step, reason });
}

export function leaveUndecided({ report, version, path }: Place, step: string, reason: string): void {
  report.undecided.push({ version, path: path + step, reason });
}
