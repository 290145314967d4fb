import { type JsonObject, objectAt } from "../../../src/model/json.ts";
import type { ReadFailure, Reader } from "../../../src/model/reader.ts";
import { refOf, parseResource, buildResourcePath } from "../../../src/model/resource.ts";
import { listDefaultItems } from "../../../src/cases/cluster.ts";
import { type FakeResponse, fakeReader } from "../../api-server/fake-reader.ts";

/** The objects of a cluster besides its version: enough for an entry to affect it, or to just miss it. */
export type Fixture = {
  readonly hit: readonly JsonObject[];
  readonly miss: readonly JsonObject[];
  /** If the cluster's history decides: the versions that it ran before, newest first. */
  readonly hitHistory?: readonly string[];
  readonly missHistory?: readonly string[];
  readonly hitCapabilities?: readonly string[];
  readonly missCapabilities?: readonly string[];
  /** Only the entry's target decides, so no other cluster can just miss it. */
  readonly versionsOnly?: true;
  /** Further clusters that the entry affects, or just misses. */
  readonly otherHits?: readonly Pick<Fixture, "hit" | "hitHistory" | "hitCapabilities">[];
  readonly otherMisses?: readonly Pick<Fixture, "miss" | "missHistory" | "missCapabilities">[];
  /** `hit` after the entry's own remedy, if that changes objects: without it, no-remedy.ts says why. */
  readonly remedied?: readonly JsonObject[];
  /** Why its command can't be run on a real API server. */
  readonly notTried?: string;
  /** Further clusters before and after the remedy. */
  readonly otherRemedies?: readonly Required<Pick<Fixture, "hit" | "remedied">>[];
};

/** An object of "group/version", named "name" or "namespace/name". */
export function buildObject(apiVersion: string, kind: string, where: string, more: JsonObject = {}): JsonObject {
  const [name = "", namespace] = where.split("/").toReversed();
  const rest = Object.fromEntries(Object.entries(more).filter(([key]) => key !== "metadata"));
  const own = { name, ...(namespace ? { namespace } : {}) };
  return { apiVersion, kind, metadata: { ...own, ...objectAt(more, "metadata") }, ...rest };
}

export function infrastructure(platform: string, topology = "HighlyAvailable"): JsonObject {
  return buildObject("config.openshift.io/v1", "Infrastructure", "cluster", {
    status: { platformStatus: { type: platform }, controlPlaneTopology: topology },
  });
}

export function aro(): JsonObject {
  return buildObject("config.openshift.io/v1", "ClusterOperator", "aro");
}

/** The Network config, with the plugin in use and the addresses of services. */
export function network(plugin: string, services: readonly string[] = ["172.30.0.0/16"]): JsonObject {
  return buildObject("config.openshift.io/v1", "Network", "cluster", {
    spec: { networkType: plugin, serviceNetwork: services },
    status: { networkType: plugin, serviceNetwork: services },
  });
}

export function pool(name: string, labels: readonly string[], spec: JsonObject = {}): JsonObject {
  return buildObject("machineconfiguration.openshift.io/v1", "MachineConfigPool", name, {
    metadata: { labels: Object.fromEntries(labels.map((label) => [label, ""])) },
    spec,
    status: { machineCount: 3 },
  });
}

export function node(name: string, labels: JsonObject = {}, status: JsonObject = {}): JsonObject {
  return buildObject("v1", "Node", name, { metadata: { labels }, status });
}

/** An operator that OLM installed. */
export function csv(name: string, version: string, phase = "Succeeded", labels: JsonObject = {}): JsonObject {
  return buildObject("operators.coreos.com/v1alpha1", "ClusterServiceVersion", `operators/${name}`, {
    metadata: { labels },
    spec: { version },
    status: { phase },
  });
}

const PLURALS: Readonly<Record<string, string>> = {
  NetworkAttachmentDefinition: "network-attachment-definitions",
  SecurityContextConstraints: "securitycontextconstraints",
};

function getPlural(kind: string): string {
  const lower = kind.toLowerCase();
  return PLURALS[kind] ?? (/[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`);
}

/** The API paths of objects: each object's own path and that of its list. */
export function buildAnswers(objects: readonly JsonObject[]): Readonly<Record<string, FakeResponse>> {
  const own = objects.map((object) => [buildPath(object, true), object] as const);
  const lists = Map.groupBy(objects, (object) => buildPath(object, false));
  const complete = [...lists].map(([path, items]) => [path, [...items, ...listDefaultItems(path, true)]] as const);
  return { ...Object.fromEntries(own), ...Object.fromEntries(complete) };
}

function buildPath(object: JsonObject, own: boolean): string {
  const { apiVersion, kind, namespace, name } = refOf(object);
  const of = parseResource(`${apiVersion}/${getPlural(kind)}`);
  return own ? buildResourcePath(of, namespace, name) : buildResourcePath(of);
}

/** The cluster of a fixture, at a source version. */
export function buildCluster(
  source: string,
  objects: readonly JsonObject[],
  past: ClusterHistory,
): Readonly<Record<string, FakeResponse>> {
  const history = [source, ...(past.history ?? [])].map((version) => ({ state: "Completed", version }));
  const status = {
    desired: { version: source },
    history,
    capabilities: { enabledCapabilities: past.capabilities ?? [], knownCapabilities: past.capabilities ?? [] },
  };
  return buildAnswers([buildObject("config.openshift.io/v1", "ClusterVersion", "version", { status }), ...objects]);
}

export type ClusterHistory = {
  readonly history?: readonly string[] | undefined;
  readonly capabilities?: readonly string[] | undefined;
};

const FORBIDDEN: ReadFailure = { kind: "failed", reason: "Forbidden", message: "403 forbidden" };

/** Answers from a cluster; `all` refuses everything but its version, `lists` every list. */
export function createFakeReader(answers: Readonly<Record<string, FakeResponse>>, refused?: "all" | "lists"): Reader {
  const reader = fakeReader(answers);
  if (refused === undefined) return reader;
  if (refused === "lists") return { ...reader, list: async () => FORBIDDEN };
  return {
    ...reader,
    get: async (place, signal) =>
      place.resource.resource === "clusterversions" ? reader.get(place, signal) : FORBIDDEN,
    list: async () => FORBIDDEN,
  };
}
