/**
 * What the commands of a fix do at worst. `safe`: they change nothing that runs or serves, and can be undone; `disruptive`: they restart,
 * drain or delete something, or interrupt somebody; `weakening`: they take away a protection.
 */
export const FIX_KINDS = ["safe", "disruptive", "weakening"] as const;
export type FixKind = (typeof FIX_KINDS)[number];

/** Commands to copy: `see` shows the fault, `fix` removes it. A choice of the administrator's is a placeholder such as `<version>`. */
export type Commands = { readonly see: readonly string[]; readonly fix: readonly string[]; readonly fixKind: FixKind };

/** The commands that remove a fault from a finding's object, in their order. A function of the finding if what they do differs. */
export type OptionalFix<F, C> =
  | {
      readonly fix: (finding: F, context: C) => readonly string[];
      readonly fixKind: FixKind | ((finding: F) => FixKind);
    }
  | { readonly fix?: never; readonly fixKind?: never };

/** The kind of a risk's fix, or of the fix for one finding. */
export function getFixKind<F>(kind: FixKind | ((finding: F) => FixKind), finding: F): FixKind {
  return typeof kind === "function" ? kind(finding) : kind;
}
