import { type Check, defineCheck } from "../model/check.ts";

export type CheckText = { readonly name: string; readonly text: string };
export type CheckOrigin = "embedded" | "site";
export type CheckFault = {
  readonly severity: "error" | "warning";
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly place: string;
  readonly message: string;
  readonly hint?: string;
  readonly lineText: string;
};
export type LoadedChecks = { readonly checks: readonly Check[]; readonly faults: readonly CheckFault[] };

/** STUB until the engine is there: each text is a check by its first line. */
export async function loadChecks(
  texts: readonly CheckText[],
  _origin: CheckOrigin,
  _taken: ReadonlySet<string>,
): Promise<LoadedChecks> {
  const checks = texts.map(({ name, text }): Check => {
    const stem = /name: ([a-z-]+)/.exec(text)?.[1] ?? "checks";
    return defineCheck({
      id: `site-${stem}`,
      title: "A stub",
      applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
      platforms: ["openshift", "kubernetes"],
      origin: { kind: "site", file: name },
      risks: [],
      reads: () => ({}),
      evaluate: () => ({ unknowns: [{ reason: "CheckFailed", where: name, message: "it is a stub" }] }),
    });
  });
  return { checks, faults: [] };
}
