import type { Unknown } from "../../model/check.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { formatGroupResource, formatResource, parseResource } from "../../model/resource.ts";
import type { ReadDefinition } from "../definition.ts";
import type { Platform } from "../../model/target-version.ts";

/** What the checks of an operator may read besides the facts of the cluster, whatever the account that reads for them may. */
export type ReadScope = {
  /** Of all namespaces and versions, such as "kafkas.kafka.strimzi.io". */
  readonly kinds: readonly string[];
  /** Those of whose workloads the operator consists. */
  readonly namespaces: readonly string[];
};

/** A read that a check declares, or that one of its facts needs. */
export type DeclaredRead = { readonly key: string; readonly definition: ReadDefinition };

/** Of an operator's namespaces. */
export const WORKLOADS = ["deployments.apps", "statefulsets.apps", "daemonsets.apps"];

/** `namespaces`: of a list, the objects in the scope's own namespaces. */
type Access = "all" | "namespaces" | "none";

export function findAccess({ key, definition }: DeclaredRead, scope: ReadScope | undefined): Access {
  if (scope === undefined || isOfFact(key)) return "all";
  const { list, get, name = "" } = definition;
  const kind = formatGroupResource(parseResource(list ?? get ?? ""));
  if (scope.kinds.includes(kind)) return "all";
  if (!WORKLOADS.includes(kind)) return "none";
  if (list !== undefined) return "namespaces";
  const [, namespace = ""] = name.split("/").toReversed();
  return scope.namespaces.includes(namespace) ? "all" : "none";
}

/** No author's key begins so. Rules see what such a read found only as the value of the fact. */
function isOfFact(key: string): boolean {
  return key.startsWith("@");
}

export function isInNamespaces(object: JsonObject, { namespaces }: ReadScope): boolean {
  return namespaces.includes(textAt(object, "metadata", "namespace") ?? "");
}

/** What is outside of the scope is never read: the check is then unknown. */
export function listRefusals(
  reads: readonly DeclaredRead[],
  scope: ReadScope | undefined,
  platform: Platform,
): readonly Unknown[] {
  if (scope === undefined) return [];
  const refused = reads.filter(
    (read) => (read.definition.only ?? platform) === platform && findAccess(read, scope) === "none",
  );
  return refused.map(({ definition: { list, get, name } }) => {
    const resource = parseResource(list ?? get ?? "");
    const where = [formatGroupResource(resource), ...(name === undefined ? [] : [name])].join(" ");
    return { reason: "ReadNotAllowed", where, message: `the operator does not own ${formatResource(resource)}` };
  });
}
