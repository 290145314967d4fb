import type { Platform } from "../../model/check.ts";
import type { ReadFailure } from "../../model/reader.ts";
import { formatResource, type Resource } from "../../model/resource.ts";

/** By resource, the objects that every cluster of the platform has: a list without them is not the whole list. */
export type ExpectedObjects = ReadonlyMap<string, readonly string[]>;

/** No API server lets anybody delete this namespace. */
const EVERYWHERE: readonly (readonly [string, readonly string[]])[] = [["v1/namespaces", ["kube-system"]]];

/** ClusterVersion, by which OpenShift is known, is a custom resource. */
const ON_OPENSHIFT: typeof EVERYWHERE = [
  ["apiextensions.k8s.io/v1/customresourcedefinitions", ["clusterversions.config.openshift.io"]],
];

export function buildExpectedObjects(platform: Platform): ExpectedObjects {
  return new Map(platform === "openshift" ? [...EVERYWHERE, ...ON_OPENSHIFT] : EVERYWHERE);
}

/** Watches the objects of a list for those that it must have. */
export type ExpectationWatch = {
  readonly see: (name: string) => void;
  /** Why the list is not the whole list; undefined if nothing is missing. */
  readonly failure: () => ReadFailure | undefined;
};

export function watchExpected(expected: ExpectedObjects, resource: Resource): ExpectationWatch {
  const missing = new Set(expected.get(formatResource(resource)));
  return {
    see: (name) => void missing.delete(name),
    failure: () => (missing.size === 0 ? undefined : buildIncompleteFailure([...missing])),
  };
}

function buildIncompleteFailure(missing: readonly string[]): ReadFailure {
  const message = `the list lacks ${missing.join(" and ")}, which every such cluster has: it is not the whole list`;
  return { kind: "failed", reason: "Incomplete", message };
}
