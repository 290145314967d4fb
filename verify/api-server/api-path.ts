import { type JsonObject, textAt } from "../../src/model/json.ts";

/** What an API path names: all objects of a kind, or one of them. */
export type ApiPath = {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
};

export const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
export const NAMESPACES = "/api/v1/namespaces";

/** Undefined for a path without objects, such as /metrics. */
export function parseApiPath(path: string): ApiPath | undefined {
  const [, root, ...parts] = path.split("/").map(decodeURIComponent);
  if (root !== "api" && root !== "apis") return undefined;
  const [group = "", version = "", ...rest] = root === "api" ? ["", ...parts] : parts;
  const [namespace, [resource, name]] =
    rest[0] === "namespaces" && rest.length > 2 ? [rest[1], rest.slice(2)] : [undefined, rest];
  if (!resource) return undefined;
  return {
    group,
    version,
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
}

/** The path of a list's item. */
export function buildItemPath(list: string, item: JsonObject): string {
  const { namespace, name } = objectKeyOf(item);
  const at = list.lastIndexOf("/");
  const within = namespace === undefined ? list : `${list.slice(0, at)}/namespaces/${namespace}${list.slice(at)}`;
  return `${within}/${name}`;
}

export function objectKeyOf(object: JsonObject): { readonly namespace?: string; readonly name: string } {
  const namespace = textAt(object, "metadata", "namespace");
  return { ...(namespace ? { namespace } : {}), name: textAt(object, "metadata", "name") ?? "" };
}

/** The list or collection that an object's path is in. */
export function getCollectionPath(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** The key under which an API server stores the object. */
const ETCD_NAMES: Readonly<Record<string, string>> = {
  nodes: "minions",
  services: "services/specs",
  endpoints: "services/endpoints",
  customresourcedefinitions: "apiextensions.k8s.io/customresourcedefinitions",
  apiservices: "apiregistration.k8s.io/apiservices",
};

const BUILT_IN_GROUPS =
  /^(?:(?:admissionregistration|apiextensions|apiregistration|certificates|coordination|discovery|networking|node|scheduling|storage)\.k8s\.io|(?:flowcontrol\.apiserver|rbac\.authorization)\.k8s\.io|[a-z]*)$/;

export function buildEtcdKey({ group, resource, namespace, name }: ApiPath): string {
  const kind = BUILT_IN_GROUPS.test(group) ? (ETCD_NAMES[resource] ?? resource) : `${group}/${resource}`;
  return ["", "registry", kind, ...(namespace === undefined ? [] : [namespace]), name].join("/");
}
