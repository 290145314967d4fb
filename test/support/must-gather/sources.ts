import { isDeepStrictEqual } from "node:util";
import { type JsonObject, isObject, listAt, textAt, textsAt } from "../../../src/model/json.ts";
import type { AdminApi } from "../../../verify/api-server/admin-api.ts";
import type { Source, SourceKind } from "./writer.ts";

/** The kinds and objects of a control plane. */
export async function readSource(api: AdminApi): Promise<Source> {
  const groups = listAt((await api.call("GET", "/apis")).body, "groups");
  const preferred = groups.flatMap((group) => textAt(group, "preferredVersion", "groupVersion") ?? []);
  const paths = ["/api/v1", ...preferred.map((groupVersion) => `/apis/${groupVersion}`)];
  const kinds = await Promise.all(paths.map((path) => readKinds(api, path)));
  return {
    kinds: kinds.flat(),
    list: async (kind) => {
      const { body } = await api.call("GET", buildPath(kind));
      const apiVersion = textAt(body, "apiVersion") ?? "";
      const listKind = textAt(body, "kind") ?? "";
      const own = { apiVersion, kind: listKind.replace(/List$/, "") };
      return listAt(body, "items")
        .filter(isObject)
        .map((item) => ({ ...own, ...item }));
    },
  };
}

async function readKinds(api: AdminApi, path: string): Promise<readonly SourceKind[]> {
  const { body } = await api.call("GET", path);
  const [version = "", group = ""] = (textAt(body, "groupVersion") ?? "").split("/").toReversed();
  return listAt(body, "resources").flatMap((resource) => {
    const name = textAt(resource, "name") ?? "";
    const kind = textAt(resource, "kind") ?? "";
    if (name.includes("/") || !textsAt(resource, "verbs").includes("list")) return [];
    return [
      { group, version, resource: name, kind, isNamespaced: isObject(resource) && resource["namespaced"] === true },
    ];
  });
}

function buildPath({ group, version, resource }: SourceKind): string {
  return group === "" ? `/api/${version}/${resource}` : `/apis/${group}/${version}/${resource}`;
}

/** What operators of OpenShift name in status.relatedObjects. */
export const RELATED_OBJECTS: readonly JsonObject[] = [
  { group: "apiextensions.k8s.io", resource: "customresourcedefinitions", name: "" },
  { group: "security.openshift.io", resource: "securitycontextconstraints", name: "" },
  { group: "admissionregistration.k8s.io", resource: "mutatingwebhookconfigurations", name: "" },
  { group: "admissionregistration.k8s.io", resource: "validatingwebhookconfigurations", name: "" },
  { group: "apiserver.openshift.io", resource: "apirequestcounts", name: "" },
  { group: "machineconfiguration.openshift.io", resource: "controllerconfigs", name: "" },
  { group: "machineconfiguration.openshift.io", resource: "machineconfigpools", name: "" },
  { group: "machineconfiguration.openshift.io", resource: "machineconfigs", name: "" },
  { group: "operator.openshift.io", resource: "cloudcredentials", name: "" },
  { group: "operator.openshift.io", resource: "etcds", name: "cluster" },
  { group: "operator.openshift.io", resource: "machineconfigurations", name: "" },
  { group: "machine.openshift.io", resource: "machinehealthchecks", namespace: "openshift-machine-api", name: "" },
  { group: "operator.openshift.io", resource: "ingresscontrollers", namespace: "openshift-ingress-operator", name: "" },
  ...["openshift-config", "openshift-config-managed", "openshift-ingress-operator", "openshift-monitoring"].map(
    (name) => ({
      group: "",
      resource: "namespaces",
      name,
    }),
  ),
];

/** `contradictions`: paths with an object that another path has otherwise, as no cluster has. */
type RecordedSource = Source & { readonly namespaces: readonly string[]; readonly contradictions: readonly string[] };

/** The kinds and objects of a recording, or of a case. */
export function buildRecordedSource(cluster: JsonObject): RecordedSource {
  const contradictions: string[] = [];
  const kinds = new Map<string, SourceKind & { readonly objects: JsonObject[] }>();
  for (const [path, value] of Object.entries(cluster)) {
    const objects = isObject(value) ? (textAt(value, "metadata", "name") ? [value] : listAt(value, "items")) : [];
    const resource = parseResourcePath(path);
    if (resource === undefined || (isObject(value) && value["error"] !== undefined)) continue;
    const key = buildPath(resource);
    const kind = kinds.get(key) ?? { ...resource, objects: [] };
    for (const object of objects.filter(isObject)) {
      const same = kind.objects.find((one) => isSame(one, object));
      if (same === undefined) kind.objects.push(object);
      else if (!isDeepStrictEqual(same, object)) contradictions.push(path);
    }
    kinds.set(key, { ...kind, kind: kind.kind || (textAt(kind.objects[0], "kind") ?? "") });
  }
  const found = [...kinds.values()].filter(({ objects }) => objects.length > 0);
  const namespaces = new Set(
    found.flatMap(({ objects }) => objects.flatMap((object) => textAt(object, "metadata", "namespace") ?? [])),
  );
  return {
    kinds: found,
    namespaces: [...namespaces],
    contradictions,
    list: async (kind) => kinds.get(buildPath(kind))?.objects ?? [],
  };
}

function isSame(one: JsonObject, other: JsonObject): boolean {
  return ["namespace", "name"].every((key) => textAt(one, "metadata", key) === textAt(other, "metadata", key));
}

function parseResourcePath(path: string): SourceKind | undefined {
  const [, group = "", version = "", namespace, resource = ""] =
    /^\/(?:api|apis\/([^/]+))\/(v\d\w*)(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/[^/]+)?$/.exec(path) ?? [];
  return version === "" ? undefined : { group, version, resource, kind: "", isNamespaced: namespace !== undefined };
}
