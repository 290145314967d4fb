/** Who brings a check. `release`: the version of the target whose payload has it. */
export type CheckSource =
  | { readonly kind: "embedded" }
  | { readonly kind: "site" }
  | { readonly kind: "payload"; readonly release: string }
  | { readonly kind: "operator"; readonly package: string; readonly version: string };

/** Where a check comes from that this build does not have, or its list of known bugs. `file`: as people know it, a path or a key of a ConfigMap. */
export type CheckOrigin = (Exclude<CheckSource, { readonly kind: "embedded" }> | ListSource) & {
  readonly file: string;
  /** Of the file's text, "sha256:...". */
  readonly digest?: string;
};

/** The check is this build's, with another list. */
type ListSource = { readonly kind: "knownBugs"; readonly list: string; readonly date: string };

/** Ends every text of such a check, so that nobody takes it for preflight's own. Of a list, the check says it once. */
export function formatOrigin(origin: CheckOrigin | undefined): string {
  return origin === undefined || origin.kind === "knownBugs" ? "" : ` (From ${describeOrigin(origin)}.)`;
}

/** "the administrator's check csi.yaml" */
export function describeOrigin(origin: CheckOrigin): string {
  switch (origin.kind) {
    case "site":
      return `the administrator's check ${origin.file}`;
    case "payload":
      return `release ${origin.release}`;
    case "operator":
      return `operator ${origin.package} ${origin.version}`;
    case "knownBugs":
      return `the list of known bugs ${origin.list} of ${origin.date}`;
  }
}
