import { isOfResource } from "../../data-checks/compile/command-rules.ts";
import { listKindRows, removeVersion } from "../../data-checks/kinds/kind-table.ts";
import type { Crd } from "../../model/crd.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { type Resource, formatGroupVersion, formatResource, getGroup } from "../../model/resource.ts";

/** Tells whether an object is of a resource, in whichever version of its group. */
export function createResourceMatcher(resource: Resource, crds: readonly Crd[]): (object: JsonObject) => boolean {
  const known = findKind(resource, crds);
  return (object) => {
    const apiVersion = textAt(object, "apiVersion") ?? "";
    const kind = textAt(object, "kind") ?? "";
    if (getGroup(apiVersion) !== resource.group) return false;
    return known === undefined ? isOfResource({ apiVersion, kind }, formatResource(resource)) : kind === known;
  };
}

export function isOfVersion(object: JsonObject, resource: Resource): boolean {
  return textAt(object, "apiVersion") === formatGroupVersion(resource);
}

/** By the table of Kubernetes' kinds, or by CRDs. Of some former versions the table does not know the kinds. */
function findKind(resource: Resource, crds: readonly Crd[]): string | undefined {
  const row = listKindRows(formatGroupVersion(resource)).find(({ plural }) => plural === resource.resource);
  if (row !== undefined) return removeVersion(row.type);
  return crds.find(({ group, plural }) => group === resource.group && plural === resource.resource)?.kind;
}
