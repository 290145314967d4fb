/**
 * Why an API server refuses a CRD: the path in the definition and the reason. `version` is "" if the path is not within one
 * version.
 */
export type Refusal = { readonly version: string; readonly path: string; readonly reason: string };

/** The verdict on a CRD. `undecided`: parts that preflight can't judge, for which the API server may refuse the CRD. */
export type Verdict = { readonly refusals: readonly Refusal[]; readonly undecided: readonly Refusal[] };

/** Collects refusals; `version` is the version that is being judged. */
export type DefinitionReport = { readonly refusals: Refusal[]; readonly undecided: Refusal[]; version: string };

export function newReport(): DefinitionReport {
  return { refusals: [], undecided: [], version: "" };
}

export function refuse(report: DefinitionReport, path: string, reason: string): void {
  report.refusals.push({ version: report.version, path, reason });
}

export function leaveUndecided(report: DefinitionReport, path: string, reason: string): void {
  report.undecided.push({ version: report.version, path, reason });
}
