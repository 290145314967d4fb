import assert from "node:assert/strict";
import { runPreflight } from "../../verify/shared/preflight.ts";

type CheckJson = {
  readonly checks: readonly {
    readonly id: string;
    readonly outcome: string;
    readonly findings?: readonly {
      readonly object: { readonly kind: string; readonly namespace?: string; readonly name: string };
      readonly risk: string;
      readonly path?: string;
      readonly message: string;
    }[];
    readonly unknowns?: readonly { readonly reason: string; readonly where: string; readonly message: string }[];
    readonly notices?: readonly string[];
  }[];
};

/** The findings of `check -o json`, one line each. */
export type CheckRun = {
  readonly code: number | null;
  /** "crd-skew CustomResourceFieldsFrozen nodes.config.openshift.io cluster spec.cgroupMode" */
  readonly findings: readonly string[];
  /** "crd-skew Forbidden nodes.config.openshift.io"; without the checks that the flags leave out */
  readonly unknowns: readonly string[];
  readonly notices: readonly string[];
  readonly outcomes: Readonly<Record<string, string>>;
  readonly messages: readonly string[];
};

export async function runCheck(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CheckRun> {
  const exit = await runPreflight(["check", "-o", "json", ...args], env);
  assert.notEqual(exit.out, "", `nothing on stdout; stderr: ${exit.err}`);
  const { checks }: CheckJson = JSON.parse(exit.out);
  return {
    code: exit.code,
    findings: checks.flatMap((check) =>
      (check.findings ?? []).map(({ risk, object, path }) => {
        const name = object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`;
        return [check.id, risk, object.kind, name, path].filter((part) => part !== undefined).join(" ");
      }),
    ),
    unknowns: checks.flatMap((check) =>
      (check.unknowns ?? []).flatMap(({ reason, where }) =>
        reason === "LeftOut" ? [] : `${check.id} ${reason} ${where}`,
      ),
    ),
    notices: checks.flatMap((check) => (check.notices ?? []).map((notice) => `${check.id} ${notice}`)),
    outcomes: Object.fromEntries(checks.map((check) => [check.id, check.outcome])),
    messages: checks.flatMap((check) => (check.findings ?? []).map((finding) => finding.message)),
  };
}
