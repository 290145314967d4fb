import type { Json, JsonObject } from "../../model/json.ts";
import { at, compareText, listAt, textAt, isList, isObject, parseJson } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";

export const NETWORK: ObjectRef = { apiVersion: "config.openshift.io/v1", kind: "Network", name: "cluster" };

/** `spec` is the requested network, `status` the running one; they differ while a change is in progress. */
export type NetworkSection = "status" | "spec";
type IpFamily = "IPv4" | "IPv6";

/** A list of CIDRs of Network config, in the order of the API; "" stands for an entry that is not a string. */
type CidrList = {
  readonly section: NetworkSection;
  readonly field: "serviceNetwork" | "clusterNetwork";
  readonly cidrs: readonly string[];
};

/** The relevant parts of networks.config.openshift.io/cluster. */
export type NetworkConfig = {
  readonly lists: readonly CidrList[];
  readonly plugins: Readonly<Record<NetworkSection, string>>;
};

export function keepNetwork(object: JsonObject): NetworkConfig {
  const lists = (["status", "spec"] as const).flatMap((section) => [
    { section, field: "serviceNetwork", cidrs: listAt(object, section, "serviceNetwork").map(toText) } as const,
    {
      section,
      field: "clusterNetwork",
      cidrs: listAt(object, section, "clusterNetwork").map((entry) => toText(at(entry, "cidr"))),
    } as const,
  ]);
  const getPlugin = (section: NetworkSection): string => textAt(object, section, "networkType") ?? "";
  return { lists, plugins: { status: getPlugin("status"), spec: getPlugin("spec") } };
}

function toText(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

export function formatPath(list: CidrList): string {
  return `${list.section}.${list.field}`;
}

/** The running plugin, or the requested one until the network operator has written a status. */
export function getRunningPlugin({ plugins }: NetworkConfig): string {
  return plugins.status === "" ? plugins.spec : plugins.status;
}

/** The network operator ignores the case of plugin names. */
export function isPlugin(name: string, plugin: string): boolean {
  return name.toLowerCase() === plugin.toLowerCase();
}

export function selectDualStackLists({ lists }: NetworkConfig): readonly CidrList[] {
  return lists.filter((list) => new Set(list.cidrs.flatMap((cidr) => parseFamily(cidr) ?? [])).size > 1);
}

/** The lists that give pods more than one address range of the same family. */
export function selectCrowdedLists({ lists }: NetworkConfig): readonly CidrList[] {
  return lists.filter((list) => list.field === "clusterNetwork" && isCrowded(list.cidrs));
}

function isCrowded(cidrs: readonly string[]): boolean {
  const families = cidrs.flatMap((cidr) => parseFamily(cidr) ?? []);
  return new Set(families).size < families.length;
}

/** The paths of the entries that are not address ranges. */
export function findUnreadableCidrs({ lists }: NetworkConfig): readonly string[] {
  const paths = lists.flatMap((list) =>
    list.cidrs.flatMap((cidr, i) => (parseFamily(cidr) === undefined ? [`${formatPath(list)}[${i}]`] : [])),
  );
  return paths.toSorted(compareText);
}

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}\/\d{1,2}$/;
const IPV6 = /^[0-9a-f:]*:[0-9a-f:]*(?:(?:\d{1,3}\.){3}\d{1,3})?\/\d{1,3}$/i;

function parseFamily(cidr: string): IpFamily | undefined {
  if (IPV4.test(cidr)) return "IPv4";
  return IPV6.test(cidr) ? "IPv6" : undefined;
}

const OPERATOR_NETWORK: ObjectRef = { apiVersion: "operator.openshift.io/v1", kind: "Network", name: "cluster" };

/** Whether a network gets its addresses from Whereabouts. `unreadable`: its configuration is not valid JSON. */
type Whereabouts = "yes" | "no" | "unreadable";

/** A network besides the cluster's own: an entry of the operator's additionalNetworks, or a NetworkAttachmentDefinition. */
export type Attachment = {
  readonly object: ObjectRef;
  /** The path of the network's declaration; absent for a NetworkAttachmentDefinition, which as a whole is one network. */
  readonly path?: string;
  /** The path of the configuration of its addresses. */
  readonly configPath: string;
  /** Namespace and name of the NetworkAttachmentDefinition. */
  readonly key: string;
  readonly whereabouts: Whereabouts;
};

/** The entries of spec.additionalNetworks of networks.operator.openshift.io/cluster. */
export function keepAdditionalNetworks(object: JsonObject): readonly Attachment[] {
  return listAt(object, "spec", "additionalNetworks").map((network, i) => ({
    object: OPERATOR_NETWORK,
    path: `spec.additionalNetworks[${i}]`,
    configPath: `spec.additionalNetworks[${i}].rawCNIConfig`,
    key: `${textAt(network, "namespace") ?? "default"}/${textAt(network, "name") ?? ""}`,
    whereabouts: parseWhereabouts(textAt(network, "rawCNIConfig")),
  }));
}

export function keepAttachment(object: JsonObject): Attachment {
  const ref = refOf(object);
  return {
    object: ref,
    configPath: "spec.config",
    key: `${ref.namespace ?? ""}/${ref.name}`,
    whereabouts: parseWhereabouts(textAt(object, "spec", "config")),
  };
}

/** Each network once: the network operator creates a NetworkAttachmentDefinition for every additional network. */
export function mergeNetworks(
  additional: readonly Attachment[],
  definitions: readonly Attachment[],
): readonly Attachment[] {
  const declared = new Set(additional.map(({ key }) => key));
  return [...additional, ...definitions.filter(({ key }) => !declared.has(key))];
}

/** A definition without a configuration uses the file of its name on the node, which the API doesn't show. */
function parseWhereabouts(config: string | undefined): Whereabouts {
  if (config === undefined || config.trim() === "") return "no";
  const parsed = parseJson(config);
  if (parsed === undefined) return "unreadable";
  return usesWhereabouts(parsed) ? "yes" : "no";
}

/** The address plugin may belong to the network or to a plugin inside it (a chain, a delegate). */
function usesWhereabouts(value: Json): boolean {
  if (isList(value)) return value.some(usesWhereabouts);
  if (!isObject(value)) return false;
  if (textAt(value, "ipam", "type") === "whereabouts") return true;
  return Object.values(value).some(usesWhereabouts);
}
