/**
 * Why an API server refuses a CRD: where in the CRD, as its author writes it, and the reason. `version` is "" where it is none of one
 * version.
 */
export type Refusal = { readonly version: string; readonly path: string; readonly reason: string };

/** What is found out about a CRD. `undecided`: what we can't say; the API server may refuse it for that. */
export type Verdict = { readonly refusals: readonly Refusal[]; readonly undecided: readonly Refusal[] };

/** Where findings are gathered; `version` is the one that is looked at. */
export type Report = { readonly refusals: Refusal[]; readonly undecided: Refusal[]; version: string };

export function newReport(): Report {
  return { refusals: [], undecided: [], version: "" };
}

export function refuse(report: Report, path: string, reason: string): void {
  report.refusals.push({ version: report.version, path, reason });
}

export function leaveUndecided(report: Report, path: string, reason: string): void {
  report.undecided.push({ version: report.version, path, reason });
}
