import { type Json, listAt, parseObject, textAt } from "../../src/model/json.ts";
import { runPreflight } from "../shared/preflight.ts";

/** What `check -o json` says of one object. */
export type Said = {
  readonly check: string;
  readonly risk: string;
  /** As in a fate: "kind namespace/name" or "kind name". */
  readonly object: string;
  /** The API group of the object. */
  readonly group: string;
  readonly path?: string;
  readonly effect?: string;
  /** The versions of the object's kind that it concerns; all if there are none. */
  readonly versions?: readonly string[];
  /** Those through which server-side apply fails too. */
  readonly through?: readonly string[];
  readonly isScaleRefused?: boolean;
};

export type CheckOutput = { readonly said: readonly Said[]; readonly unknowns: readonly string[] };

export async function askPreflight(
  kubeconfig: string,
  payload: string,
  flags: readonly string[] = [],
): Promise<CheckOutput> {
  const place = ["--kubeconfig", kubeconfig, "--target", payload];
  const { out, err } = await runPreflight(["check", "-o", "json", ...place, ...flags]);
  const document = parseObject(out);
  if (document === undefined) throw new Error(`preflight wrote no document: ${err}`);
  const checks = listAt(document, "checks");
  return {
    said: checks.flatMap((check) =>
      listAt(check, "findings").map((finding) => parseFinding(textAt(check, "id") ?? "", finding)),
    ),
    unknowns: checks.flatMap((check) =>
      listAt(check, "unknowns")
        .filter((one) => textAt(one, "reason") !== "LeftOut")
        .map((one) => [check, one].map((part) => textAt(part, "id") ?? textAt(part, "message") ?? "").join(": ")),
    ),
  };
}

function parseFinding(check: string, finding: Json): Said {
  const path = textAt(finding, "path");
  const effect = textAt(finding, "effect");
  const versions = textAt(finding, "versions")?.split(",");
  const through = /server-side apply through (.*) fails too/.exec(textAt(finding, "message") ?? "")?.[1];
  return {
    check,
    risk: textAt(finding, "risk") ?? "",
    group: /^(.*)\//.exec(textAt(finding, "object", "apiVersion") ?? "")?.[1] ?? "",
    object: formatObject(
      textAt(finding, "object", "kind") ?? "",
      textAt(finding, "object", "namespace"),
      textAt(finding, "object", "name") ?? "",
    ),
    ...(path === undefined ? {} : { path }),
    ...(effect === undefined ? {} : { effect }),
    ...(versions === undefined ? {} : { versions }),
    ...(through === undefined ? {} : { through: through.split(/, | and /) }),
    ...(textAt(finding, "scale") === "refused" ? { isScaleRefused: true } : {}),
  };
}

export function formatObject(kind: string, namespace: string | undefined, name: string): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}
