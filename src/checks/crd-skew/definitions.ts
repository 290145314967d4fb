import type { Context, Finding } from "../../model/check.ts";
import type { Crd } from "../../model/crd.ts";
import type { ObjectRef } from "../../model/resource.ts";
import type { RequestCount } from "./request-counts.ts";
import { NAMES_CHANGED, SERVED_VERSION_REMOVED, STORED_VERSION_REMOVED } from "./risks.ts";

/** A CRD that the cluster has and the target ships. */
export type Pair = { readonly installed: Crd; readonly target: Crd };

export function refOfCrd(crd: Crd): ObjectRef {
  return { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", name: crd.name };
}

/**
 * status.storedVersions may name no version that spec.versions lacks: the API server refuses such an update of a CRD
 * (ValidateCustomResourceDefinitionStoredVersions of k8s.io/apiextensions-apiserver).
 */
export function storedVersionFindings({ installed, target }: Pair): readonly Finding[] {
  const shipped = new Set(target.versions.map((version) => version.name));
  const lost = installed.storedVersions.filter((version) => !shipped.has(version));
  return lost.map((version) => ({
    risk: STORED_VERSION_REMOVED,
    object: refOfCrd(installed),
    path: "status.storedVersions",
    message: `objects may be stored as ${version}, which the target's definition no longer has`,
  }));
}

/** The versions that are served today and would no longer be. */
export function unservedVersions({ installed, target }: Pair): readonly string[] {
  const served = new Set(target.versions.filter((version) => version.served).map((version) => version.name));
  return installed.versions
    .filter((version) => version.served && !served.has(version.name))
    .map((version) => version.name);
}

export function servedVersionFindings(pair: Pair, counts: readonly RequestCount[]): readonly Finding[] {
  return unservedVersions(pair).flatMap((version) => {
    const name = `${pair.installed.plural}.${version}.${pair.installed.group}`;
    const count = counts.find((candidate) => candidate.name === name);
    if (count === undefined) return [];
    return [
      {
        risk: SERVED_VERSION_REMOVED,
        object: refOfCrd(pair.installed),
        path: `spec.versions[${version}]`,
        message: `${version} is no longer served, and ${usersText(count.users)} asked for it in the last 24 hours`,
      },
    ];
  });
}

const NAMED = 3;

function usersText(users: readonly string[]): string {
  if (users.length === 0) return "clients";
  const more = users.length > NAMED ? ` and ${users.length - NAMED} more` : "";
  return `${users.slice(0, NAMED).join(", ")}${more}`;
}

/** Removed versions that nobody was seen to use are worth a word, and no risk. */
export function unservedNotices(pair: Pair, counts: readonly RequestCount[], { target }: Context): readonly string[] {
  const risky = servedVersionFindings(pair, counts).map((finding) => finding.path);
  return unservedVersions(pair)
    .filter((version) => !risky.includes(`spec.versions[${version}]`))
    .map(
      (version) =>
        `${target.text} no longer serves ${pair.installed.plural}.${pair.installed.group} as ${version}; no request for it was counted in the last 24 hours.`,
    );
}

/** Scope, kind and plural can't change while a CRD is established; a list kind or singular can, and clients then fail to decode or find it. */
export function namesFindings({ installed, target }: Pair): readonly Finding[] {
  const fields = [
    ["spec.scope", installed.scope, target.scope],
    ["spec.names.kind", installed.kind, target.kind],
    ["spec.names.plural", installed.plural, target.plural],
    ["spec.names.listKind", installed.listKind, target.listKind],
    ["spec.names.singular", installed.singular, target.singular],
  ] as const;
  return fields
    .filter(([, before, after]) => before !== after)
    .map(([path, before, after]) => ({
      risk: NAMES_CHANGED,
      object: refOfCrd(installed),
      path,
      message: `it is "${before}" today and "${after}" in the target`,
    }));
}
