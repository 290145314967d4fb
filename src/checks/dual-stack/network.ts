import { type Json, type JsonObject, at, compareText, listAt, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";

export const NETWORK: ObjectRef = { apiVersion: "config.openshift.io/v1", kind: "Network", name: "cluster" };

/** `spec` is what was asked for, `status` what runs; they differ while a change is under way. */
export type NetworkSection = "status" | "spec";
type IpFamily = "IPv4" | "IPv6";

/** A list of CIDRs of Network config, in the order of the API; "" stands for an entry that is no text. */
export type CidrList = {
  readonly section: NetworkSection;
  readonly field: "serviceNetwork" | "clusterNetwork";
  readonly cidrs: readonly string[];
};

/** What matters of networks.config.openshift.io/cluster. */
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

/** The plugin that runs; before the network operator has written a status, the one that was asked for. */
export function getRunningPlugin({ plugins }: NetworkConfig): string {
  return plugins.status === "" ? plugins.spec : plugins.status;
}

/** The network operator compares plugin names without regard to case. */
export function isPlugin(name: string, getPlugin: string): boolean {
  return name.toLowerCase() === getPlugin.toLowerCase();
}

export function selectDualStackLists({ lists }: NetworkConfig): readonly CidrList[] {
  return lists.filter((list) => new Set(list.cidrs.flatMap((cidr) => parseFamily(cidr) ?? [])).size > 1);
}

/** Where more than one range of addresses of the same family is given to pods. */
export function selectCrowdedLists({ lists }: NetworkConfig): readonly CidrList[] {
  return lists.filter((list) => list.field === "clusterNetwork" && isCrowded(list.cidrs));
}

function isCrowded(cidrs: readonly string[]): boolean {
  const families = cidrs.flatMap((cidr) => parseFamily(cidr) ?? []);
  return new Set(families).size < families.length;
}

/** Entries whose family can't be told, each as its path. */
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
