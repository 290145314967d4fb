import { type JsonObject, type Json, compareText, textAt, listAt, parseObject } from "./json.ts";
import type { NamespaceSelection } from "./reader.ts";

/** A resource as in the API's paths; the core group is "". `kind` and `listKind` are set if its CRD was read. */
export type Resource = {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind?: string;
  readonly listKind?: string;
};

/** The object of a finding. */
export type ObjectRef = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
};

/** Parses "apps/v1/deployments", or "v1/nodes" for the core group. */
export function parseResource(text: string): Resource {
  const parts = text.split("/");
  const [group, version, plural] = parts.length === 2 ? ["", ...parts] : parts;
  if (group === undefined || !version || !plural || parts.length > 3) throw new Error(`${text} names no resource`);
  return { group, version, resource: plural };
}

export function formatResource(resource: Resource): string {
  return resource.group === ""
    ? `${resource.version}/${resource.resource}`
    : `${resource.group}/${resource.version}/${resource.resource}`;
}

/** "networks.config.openshift.io", or "nodes" for the core group: the argument of `oc get`. */
export function formatGroupResource(resource: Resource): string {
  return resource.group === "" ? resource.resource : `${resource.resource}.${resource.group}`;
}

/** The API path of a kind, of its objects in a namespace, or of one object. Also the key of a recorded read. */
export function buildResourcePath(resource: Resource, namespace?: string, name?: string): string {
  const root = resource.group === "" ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scope = namespace === undefined ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${resource.resource}${name === undefined ? "" : `/${encodeURIComponent(name)}`}`;
}

/** The key of a recorded list of some objects of a namespace. */
export function buildSelectionPath(resource: Resource, { namespace, labelSelector }: NamespaceSelection): string {
  return `${buildResourcePath(resource, namespace)}?labelSelector=${encodeURIComponent(labelSelector)}`;
}

export function refOf(object: JsonObject): ObjectRef {
  const namespace = textAt(object, "metadata", "namespace");
  return {
    apiVersion: textAt(object, "apiVersion") ?? "",
    kind: textAt(object, "kind") ?? "",
    ...(namespace ? { namespace } : {}),
    name: textAt(object, "metadata", "name") ?? "",
  };
}

/** "flowcontrol.apiserver.k8s.io/v1beta3", or "v1" for the core group: the apiVersion of objects. */
export function formatGroupVersion({ group, version }: Pick<Resource, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/** The group of an apiVersion; "" for the core group. */
export function getGroup(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}

/** OpenShift's configuration of all nodes reads as a node by its kind: "Node cluster". */
function formatKind({ apiVersion, kind }: ObjectRef): string {
  return kind === "Node" && getGroup(apiVersion) === "config.openshift.io" ? "nodes.config.openshift.io" : kind;
}

/** "Node worker-0", "nodes.config.openshift.io cluster" or "NetworkAttachmentDefinition demo-a/bridge-a". */
export function formatRef(ref: ObjectRef): string {
  return `${formatKind(ref)} ${ref.namespace === undefined ? "" : `${ref.namespace}/`}${ref.name}`;
}

/** The one ClusterVersion of a cluster. */
export const CLUSTER_VERSION: ObjectRef = {
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterVersion",
  name: "version",
};

export function buildNodeRef(name: string): ObjectRef {
  return { apiVersion: "v1", kind: "Node", name };
}

export function buildConfigMapRef(namespace: string, name: string): ObjectRef {
  return { apiVersion: "v1", kind: "ConfigMap", namespace, name };
}

/** A sort key: by kind, namespace, name. */
export function buildRefKey(ref: ObjectRef): string {
  return [ref.kind, ref.namespace ?? "", ref.name, ref.apiVersion].join("\u0000");
}

/** The same order as that of the keys. */
export function compareRefs(a: ObjectRef, b: ObjectRef): number {
  return (
    compareText(a.kind, b.kind) ||
    compareText(a.namespace ?? "", b.namespace ?? "") ||
    compareText(a.name, b.name) ||
    compareText(a.apiVersion, b.apiVersion)
  );
}

/** The groups that an API server serves, from its answer to /apis; undefined for any other answer. */
export function parseApiGroups(text: string): readonly Json[] | undefined {
  const list = parseObject(text);
  return textAt(list, "kind") === "APIGroupList" ? listAt(list, "groups") : undefined;
}

/** The same for a read of a check or the runner. Throws for any other answer. */
export function requireApiGroups(text: string): readonly Json[] {
  const groups = parseApiGroups(text);
  if (groups === undefined) throw new Error("/apis was answered with something other than an APIGroupList");
  return groups;
}

/** The versions of each group, such as "policy/v1". */
export function listGroupVersions(groups: readonly Json[]): readonly string[] {
  const versions = groups.flatMap((group) => listAt(group, "versions"));
  return versions.flatMap((version) => textAt(version, "groupVersion") ?? []);
}
