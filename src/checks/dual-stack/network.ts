import { type Json, type JsonObject, at, byText, listAt, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";

export const NETWORK: ObjectRef = { apiVersion: "config.openshift.io/v1", kind: "Network", name: "cluster" };

/** `spec` is what was asked for, `status` what runs; they differ while a change is under way. */
export type Section = "status" | "spec";
type Family = "IPv4" | "IPv6";

/** A list of CIDRs of Network config, in the order of the API; "" stands for an entry that is no text. */
export type Cidrs = {
  readonly section: Section;
  readonly field: "serviceNetwork" | "clusterNetwork";
  readonly cidrs: readonly string[];
};

/** What matters of networks.config.openshift.io/cluster. */
export type NetworkConfig = {
  readonly lists: readonly Cidrs[];
  readonly plugins: Readonly<Record<Section, string>>;
};

export function keepNetwork(object: JsonObject): NetworkConfig {
  const lists = (["status", "spec"] as const).flatMap((section) => [
    { section, field: "serviceNetwork", cidrs: listAt(object, section, "serviceNetwork").map(asText) } as const,
    {
      section,
      field: "clusterNetwork",
      cidrs: listAt(object, section, "clusterNetwork").map((entry) => asText(at(entry, "cidr"))),
    } as const,
  ]);
  const plugin = (section: Section): string => textAt(object, section, "networkType") ?? "";
  return { lists, plugins: { status: plugin("status"), spec: plugin("spec") } };
}

function asText(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

export function pathOf(list: Cidrs): string {
  return `${list.section}.${list.field}`;
}

/** The plugin that runs; before the network operator has written a status, the one that was asked for. */
export function runningPlugin({ plugins }: NetworkConfig): string {
  return plugins.status === "" ? plugins.spec : plugins.status;
}

/** The network operator compares plugin names without regard to case. */
export function isPlugin(name: string, plugin: string): boolean {
  return name.toLowerCase() === plugin.toLowerCase();
}

export function dualStackLists({ lists }: NetworkConfig): readonly Cidrs[] {
  return lists.filter((list) => new Set(list.cidrs.flatMap((cidr) => familyOf(cidr) ?? [])).size > 1);
}

/** Where more than one range of addresses of the same family is given to pods. */
export function crowdedLists({ lists }: NetworkConfig): readonly Cidrs[] {
  return lists.filter((list) => list.field === "clusterNetwork" && isCrowded(list.cidrs));
}

function isCrowded(cidrs: readonly string[]): boolean {
  const families = cidrs.flatMap((cidr) => familyOf(cidr) ?? []);
  return new Set(families).size < families.length;
}

/** Entries whose family can't be told, each as its path. */
export function unreadableCidrs({ lists }: NetworkConfig): readonly string[] {
  const paths = lists.flatMap((list) =>
    list.cidrs.flatMap((cidr, i) => (familyOf(cidr) === undefined ? [`${pathOf(list)}[${i}]`] : [])),
  );
  return paths.toSorted(byText);
}

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}\/\d{1,2}$/;
const IPV6 = /^[0-9a-f:]*:[0-9a-f:]*(?:(?:\d{1,3}\.){3}\d{1,3})?\/\d{1,3}$/i;

function familyOf(cidr: string): Family | undefined {
  if (IPV4.test(cidr)) return "IPv4";
  return IPV6.test(cidr) ? "IPv6" : undefined;
}
