import { type Resource, formatResource } from "../../model/resource.ts";
import { findNearestName, sortNames } from "../../model/text.ts";
import { BUILT_IN_KINDS, listServed } from "./built-in-kinds.ts";

/** Why no API server serves a resource, as far as its name tells. */
export type ResourceFault = { readonly message: string; readonly hint: string };

/** A group without a dot is Kubernetes' own, since a CRD can't have one. Of its own groups, later releases may serve more than is known. */
export function findResourceFault(resource: Resource): ResourceFault | undefined {
  if (BUILT_IN_KINDS.find(resource) !== undefined) return undefined;
  const { group, version, resource: plural } = resource;
  const served = listServed();
  const ofGroup = served.filter((one) => one.group === group);
  if (ofGroup.length === 0 && group.includes(".")) return undefined;
  const versions = selectNamed(ofGroup, plural);
  // A kind that becomes stable is served in a version that is not known yet.
  if (versions.length > 0 && !versions.some((one) => isOlder(version, one.version))) return undefined;
  const meant = [versions, selectNamed(served, plural), selectNearest(ofGroup, plural)].find((ones) => ones.length > 0);
  if (meant !== undefined) return suggest(resource, meant);
  return ofGroup.length === 0 ? suggestGroup(group, served) : undefined;
}

function selectNamed(served: readonly Resource[], plural: string | undefined): readonly Resource[] {
  return served.filter((one) => one.resource === plural);
}

function selectNearest(served: readonly Resource[], plural: string): readonly Resource[] {
  const names = served.map((one) => one.resource);
  return selectNamed(served, findNearestName(plural, names, MOST_WRONG));
}

/** Letters: with more of them it is another name. */
const MOST_WRONG = 2;

function suggest(resource: Resource, others: readonly Resource[]): ResourceFault {
  const [newest] = others.toSorted((a, b) => (isOlder(a.version, b.version) ? 1 : -1)).map(formatResource);
  return { message: `no release serves ${formatResource(resource)}`, hint: `write ${newest}` };
}

function suggestGroup(group: string, served: readonly Resource[]): ResourceFault {
  const groups = sortNames(served.map((one) => one.group).filter((one) => one !== ""));
  const nearest = findNearestName(group, groups);
  const hint = nearest === undefined ? "the group of a custom resource has a dot" : `did you mean ${nearest}?`;
  return { message: `there is no API group ${group}`, hint };
}

/** v1alpha1, v1beta1, v1, v2beta1, v2. */
function isOlder(version: string, than: string): boolean {
  return rank(version) < rank(than);
}

function rank(version: string): number {
  const [, major = "0", stage = "", step = "0"] = /^v(\d{1,3})(?:(alpha|beta)(\d{1,3}))?$/.exec(version) ?? [];
  return Number(major) * 10_000 + (stage === "" ? 9_000 : stage === "beta" ? 1_000 : 0) + Number(step);
}
