import { type JsonObject, objectAt, objectsAt, textAt } from "../../model/json.ts";
import { selectMetadata } from "../../model/object.ts";
import type { Absence, FoundObject, ObjectLocation, ReadFailure, Reader, Visitor } from "../../model/reader.ts";
import { type Resource, formatGroupResource, parseResource } from "../../model/resource.ts";
import { buildFailure } from "../access/failures.ts";

/** Where a HostedCluster is. */
export type HostedClusterName = { readonly namespace: string; readonly name: string };

const HOSTED_CLUSTERS: Resource = parseResource("hypershift.openshift.io/v1beta1/hostedclusters");

/**
 * Reads a management cluster as one of its hosted clusters: of HostedClusters and NodePools there are those of that hosted cluster alone, and
 * the objects that say which release runs are the guest's, as far as its HostedCluster has them. All else is the management cluster's.
 */
export function createHostedClusterReader(reader: Reader, hosted: HostedClusterName): Reader {
  let found: ReturnType<typeof findHostedCluster> | undefined;
  return {
    ...reader,
    async get(location, signal, onProgress) {
      const kind = formatGroupResource(location.resource);
      if (isGuestOperator(location)) return { kind: "absent", what: "object" };
      const build = GUEST_OBJECTS.get(kind);
      if (build === undefined) return reader.get(location, signal, onProgress);
      // One list serves all of these objects, in each cycle anew.
      const result = await (found ??= findHostedCluster(reader, hosted, signal));
      return result.kind === "found" ? { ...result, object: build(result.object), isDerived: true } : toFailure(result);
    },
    list(resource, begin, signal, part, onProgress) {
      const isOwn = OWN_KINDS.get(formatGroupResource(resource));
      if (isOwn === undefined) return reader.list(resource, begin, signal, part, onProgress);
      // The hosted cluster of a NodePool is in its spec.
      const select = part === "metadata" ? selectMetadata : (object: JsonObject): JsonObject => object;
      const beginOwn: typeof begin = (held) => {
        const visit = begin(held);
        return (object) => {
          if (isOwn(object, hosted)) visit(select(object));
        };
      };
      return reader.list(resource, beginOwn, signal, "whole", onProgress);
    },
    forCycle: () => createHostedClusterReader(reader.forCycle?.() ?? reader, hosted),
  };
}

/** What the guest's operator reports, which is "ClusterVersionUpgradeable" here and "Upgradeable" there. */
const PREFIX = "ClusterVersion";

const GUEST_OBJECTS: ReadonlyMap<string, (hostedCluster: JsonObject) => JsonObject> = new Map([
  ["clusterversions.config.openshift.io", buildGuestClusterVersion],
  ["featuregates.config.openshift.io", buildGuestFeatureGate],
  ["infrastructures.config.openshift.io", buildGuestInfrastructure],
]);

/** The guest's operator runs in the namespace of its control plane; that of this name is the management cluster's. */
function isGuestOperator({ resource, name }: ObjectLocation): boolean {
  return formatGroupResource(resource) === "deployments.apps" && name === "cluster-version-operator";
}

type IsOwn = (object: JsonObject, hosted: HostedClusterName) => boolean;

const OWN_KINDS: ReadonlyMap<string, IsOwn> = new Map<string, IsOwn>([
  [formatGroupResource(HOSTED_CLUSTERS), isHostedCluster],
  [
    "nodepools.hypershift.openshift.io",
    // A NodePool that does not say whose it is may be this one's.
    (object, { namespace, name }) =>
      textAt(object, "metadata", "namespace") === namespace && (textAt(object, "spec", "clusterName") ?? name) === name,
  ],
]);

function isHostedCluster(object: JsonObject, { namespace, name }: HostedClusterName): boolean {
  return textAt(object, "metadata", "namespace") === namespace && textAt(object, "metadata", "name") === name;
}

async function findHostedCluster(
  reader: Reader,
  hosted: HostedClusterName,
  signal: AbortSignal,
): Promise<FoundObject | Absence | ReadFailure> {
  let found: JsonObject | undefined;
  const begin = (): Visitor => {
    found = undefined;
    return (object) => {
      if (isHostedCluster(object, hosted)) found = object;
    };
  };
  const list = await reader.list(HOSTED_CLUSTERS, begin, signal);
  if (list.kind !== "listed") return list;
  if (found !== undefined) return { kind: "found", object: found, bytes: list.bytes };
  return buildFailure("NotUnderstood", `HostedCluster ${hosted.namespace}/${hosted.name} does not exist`);
}

/** Of a HostedCluster: that its kind is not served says nothing of the guest's kinds. */
function toFailure(result: Absence | ReadFailure): ReadFailure {
  if (result.kind === "failed") return result;
  return buildFailure(
    "NotUnderstood",
    "the API server does not serve HostedClusters, so it is not a management cluster",
  );
}

/** The names of all HostedClusters, or why nobody knows them. */
export async function listHostedClusters(
  reader: Reader,
  signal: AbortSignal,
): Promise<readonly HostedClusterName[] | Absence | ReadFailure> {
  const names: HostedClusterName[] = [];
  const begin = (): Visitor => {
    names.length = 0;
    return (object) => {
      names.push({
        namespace: textAt(object, "metadata", "namespace") ?? "",
        name: textAt(object, "metadata", "name") ?? "",
      });
    };
  };
  const list = await reader.list(HOSTED_CLUSTERS, begin, signal, "metadata");
  return list.kind === "listed" ? names : list;
}

/** What the guest's ClusterVersion has, as far as its HostedCluster repeats it: HyperShift copies its status there. */
function buildGuestClusterVersion(hostedCluster: JsonObject): JsonObject {
  const status = objectAt(hostedCluster, "status", "version");
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
    spec: {
      clusterID: textAt(hostedCluster, "spec", "clusterID") ?? "",
      channel: textAt(hostedCluster, "spec", "channel") ?? "",
      upstream: textAt(hostedCluster, "spec", "updateService") ?? "",
    },
    status: {
      ...status,
      desired: { ...objectAt(status, "desired"), ...buildArchitecture(hostedCluster) },
      conditions: listGuestConditions(hostedCluster),
    },
  };
}

/** The architecture of the release that the control plane runs: HyperShift has AMD64 where ClusterVersion has none. */
function buildArchitecture(hostedCluster: JsonObject): JsonObject {
  const architecture = textAt(hostedCluster, "status", "payloadArch");
  return architecture === undefined ? {} : { architecture };
}

function listGuestConditions(hostedCluster: JsonObject): readonly JsonObject[] {
  return objectsAt(hostedCluster, "status", "conditions").flatMap((condition) => {
    const type = textAt(condition, "type") ?? "";
    return type.startsWith(PREFIX) ? [{ ...condition, type: type.slice(PREFIX.length) }] : [];
  });
}

function buildGuestFeatureGate(hostedCluster: JsonObject): JsonObject {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: { name: "cluster" },
    spec: objectAt(hostedCluster, "spec", "configuration", "featureGate"),
  };
}

function buildGuestInfrastructure(hostedCluster: JsonObject): JsonObject {
  const type = textAt(hostedCluster, "spec", "platform", "type") ?? "";
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    status: { controlPlaneTopology: "External", platform: type, platformStatus: { type } },
  };
}
