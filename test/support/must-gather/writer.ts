import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dump } from "js-yaml";
import { type JsonObject, listAt, objectAt, textAt } from "../../../src/model/json.ts";
import { buildKindKey } from "../../../src/cluster/must-gather/archive-index.ts";

export type SourceKind = {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
};

/** The cluster of which an archive is written. */
export type Source = {
  readonly kinds: readonly SourceKind[];
  readonly list: (kind: SourceKind) => Promise<readonly JsonObject[]>;
};

export type GatherOptions = {
  readonly startedAt: Date;
  readonly endedAt?: Date;
  /** False for `oc adm inspect`, which writes neither versions nor counts. */
  readonly isMustGather?: false;
  readonly hasObjectCounts?: false;
  /** Namespaces to inspect beside those that every must-gather has and those that operators name. */
  readonly namespaces?: readonly string[];
};

export const IMAGE_FOLDER = "registry-example-must-gather-sha256-0123456789abcdef";

/** What collection-scripts/gather of openshift/must-gather inspects by kind, beside the operators. */
const GROUP_RESOURCES = new Set([
  "apiservices.apiregistration.k8s.io",
  "certificatesigningrequests.certificates.k8s.io",
  "clusteroperators.config.openshift.io",
  "clusterversions.config.openshift.io",
  "csidrivers.storage.k8s.io",
  "csinodes.storage.k8s.io",
  "imagecontentsourcepolicies.operator.openshift.io",
  "networks.operator.openshift.io",
  "nodes",
  "persistentvolumes",
  "storageclasses.storage.k8s.io",
]);
const OLM_RESOURCES = ["clusterserviceversions", "operatorconditions", "subscriptions"];
const NAMESPACES = ["default", "kube-system", "openshift", "openshift-cluster-version", "openshift-etcd"];
/** The category "all", and what namespace.go adds to it. */
const NAMESPACE_RESOURCES = new Set([
  "configmaps",
  "cronjobs.batch",
  "daemonsets.apps",
  "deployments.apps",
  "endpointslices.discovery.k8s.io",
  "jobs.batch",
  "poddisruptionbudgets.policy",
  "pods",
  "replicasets.apps",
  "secrets",
  "services",
  "statefulsets.apps",
]);

/** Writes a cluster as `oc adm must-gather` does: the layout, what is in it, and what is left out. */
export async function writeMustGather(source: Source, folder: string, options: GatherOptions): Promise<void> {
  const isMustGather = options.isMustGather !== false;
  const root = isMustGather ? join(folder, IMAGE_FOLDER) : folder;
  const gathered = await Promise.all(source.kinds.map(async (kind) => ({ kind, objects: await source.list(kind) })));
  writeConfigLists(root, gathered);
  const related = gathered
    .filter(({ kind }) => buildKindKey(kind) === "clusteroperators.config.openshift.io")
    .flatMap(({ objects }) => objects.flatMap((object) => listAt(object, "status", "relatedObjects")))
    .map((reference) => objectAt(reference));
  for (const one of gathered) writeKind(root, one, related);
  const named = related.flatMap((one) => (one["resource"] === "namespaces" ? (textAt(one, "name") ?? []) : []));
  for (const namespace of new Set([...NAMESPACES, ...named, ...(options.namespaces ?? [])]))
    writeNamespace(root, namespace, gathered);
  if (options.endedAt !== undefined) writeText(join(folder, "event-filter.html"), "<html></html>\n");
  if (!isMustGather) return;
  const times = [options.startedAt, options.endedAt].flatMap((time) => (time ? [formatGoTime(time)] : []));
  writeText(join(folder, "timestamp"), times.map((time) => `${time}\n`).join(""));
  writeText(join(root, "version"), "openshift/must-gather\n4.20.0-202511010000.p0\n");
  if (options.hasObjectCounts !== false) writeObjectCounts(root, gathered);
}

type Gathered = { readonly kind: SourceKind; readonly objects: readonly JsonObject[] };

/** Every kind of config.openshift.io, as one list each. */
function writeConfigLists(root: string, gathered: readonly Gathered[]): void {
  for (const one of gathered) {
    if (one.kind.group !== "config.openshift.io") continue;
    writeList(join(root, "cluster-scoped-resources", one.kind.group, `${one.kind.resource}.yaml`), one, one.objects);
  }
}

function writeKind(root: string, { kind, objects }: Gathered, related: readonly JsonObject[]): void {
  const isOlm = kind.group === "operators.coreos.com" && OLM_RESOURCES.includes(kind.resource);
  const isWhole = isOlm || GROUP_RESOURCES.has(buildKindKey(kind));
  for (const object of objects) {
    const namespace = textAt(object, "metadata", "namespace");
    const name = textAt(object, "metadata", "name") ?? "";
    const isRelated = related.some(
      (one) =>
        one["resource"] === kind.resource &&
        (one["group"] ?? "") === kind.group &&
        [undefined, "", namespace].includes(textAt(one, "namespace")) &&
        [undefined, "", name].includes(textAt(one, "name")),
    );
    if (!isWhole && !isRelated) continue;
    const place = namespace === undefined ? ["cluster-scoped-resources"] : ["namespaces", namespace];
    writeYaml(join(root, ...place, kind.group || "core", kind.resource, `${name}.yaml`), object);
  }
}

function writeNamespace(root: string, namespace: string, gathered: readonly Gathered[]): void {
  const folder = join(root, "namespaces", namespace);
  const objectsOf = (key: string): readonly JsonObject[] =>
    gathered.find(({ kind }) => buildKindKey(kind) === key)?.objects ?? [];
  const self = objectsOf("namespaces").find((object) => textAt(object, "metadata", "name") === namespace);
  if (self === undefined) return;
  writeYaml(join(folder, `${namespace}.yaml`), self);
  for (const one of gathered) {
    if (!NAMESPACE_RESOURCES.has(buildKindKey(one.kind))) continue;
    const objects = one.objects.filter((object) => textAt(object, "metadata", "namespace") === namespace);
    writeList(join(folder, one.kind.group || "core", `${one.kind.resource}.yaml`), one, objects);
    if (one.kind.resource !== "pods") continue;
    for (const pod of objects.filter((object) => textAt(object, "status", "phase") === "Running")) {
      const name = textAt(pod, "metadata", "name") ?? "";
      writeYaml(join(folder, "pods", name, `${name}.yaml`), pod);
      writeText(join(folder, "pods", name, "main", "main", "logs", "current.log"), "started\n");
    }
  }
}

function writeList(path: string, { kind }: Gathered, objects: readonly JsonObject[]): void {
  const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
  writeYaml(path, {
    apiVersion,
    items: objects.map(withoutManagedFields),
    kind: `${kind.kind}List`,
    metadata: { resourceVersion: "1" },
  });
}

function writeYaml(path: string, object: JsonObject): void {
  writeText(path, `---\n${dump(withoutManagedFields(object), { seqNoIndent: true, lineWidth: -1 })}`);
}

/** As kubectl's printers do unless --show-managed-fields is given. */
function withoutManagedFields(object: JsonObject): JsonObject {
  const { managedFields: _fields, ...metadata } = objectAt(object, "metadata");
  return { ...object, metadata };
}

const BUILT_IN_GROUPS = [
  "",
  "admissionregistration.k8s.io",
  "apps",
  "batch",
  "certificates.k8s.io",
  "discovery.k8s.io",
  "networking.k8s.io",
  "policy",
  "route.openshift.io",
  "storage.k8s.io",
];

/** The keys of etcd, counted by their second part, as gather_etcd does. */
function writeObjectCounts(root: string, gathered: readonly Gathered[]): void {
  const prefixes: Readonly<Record<string, string>> = { nodes: "minions", ingresses: "ingress" };
  const counts = new Map<string, number>();
  for (const { kind, objects } of gathered) {
    const prefix = BUILT_IN_GROUPS.includes(kind.group) ? (prefixes[kind.resource] ?? kind.resource) : kind.group;
    if (objects.length > 0) counts.set(prefix, (counts.get(prefix) ?? 0) + objects.length);
  }
  counts.set("oauth", 3);
  const lines = [...counts].map(([prefix, count]) => `${String(count).padStart(7)} ${prefix}\n`);
  writeText(join(root, "etcd_info", "etcd_object_count"), lines.join(""));
}

/** As Go prints a time with its monotonic clock. */
function formatGoTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace("T", " ")}.123456789 +0000 UTC m=+0.1`;
}

/** Not by promises: thousands of small files take three times as long with them. */
function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
