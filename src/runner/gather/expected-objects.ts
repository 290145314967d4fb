import type { ReadFailure } from "../../model/reader.ts";
import { formatResource, type Resource } from "../../model/resource.ts";
import type { Platform } from "../../model/target-version.ts";

/** By resource, an object that every cluster has, since no API server lets anybody delete this namespace. */
const EVERYWHERE: Readonly<Record<string, string>> = { "v1/namespaces": "kube-system" };

/** ClusterVersion, by which OpenShift is known, is a custom resource. */
const ON_OPENSHIFT: typeof EVERYWHERE = {
  ...EVERYWHERE,
  "apiextensions.k8s.io/v1/customresourcedefinitions": "clusterversions.config.openshift.io",
};

/** Watches the objects of a list for the one that it must have: without it, it is not the whole list. */
export type ExpectationWatch = {
  readonly see: (name: string) => void;
  /** Undefined if nothing is missing. */
  readonly failure: () => ReadFailure | undefined;
};

/** Without a platform, nothing is expected. */
export function watchExpected(platform: Platform | undefined, resource: Resource): ExpectationWatch {
  const expected = platform && (platform === "openshift" ? ON_OPENSHIFT : EVERYWHERE)[formatResource(resource)];
  let isMissing = expected !== undefined;
  const see = (name: string): void => {
    if (name === expected) isMissing = false;
  };
  const message = `the list lacks ${expected}, which every such cluster has: it is not the whole list`;
  return { see, failure: () => (isMissing ? { kind: "failed", reason: "Incomplete", message } : undefined) };
}
