import { CSV_RESOURCE } from "../../model/cluster-service-version.ts";
import { type Type, BOOL, DYN, STRING, listType, mapType, parseExpression } from "../../schema/cel/index.ts";
import type { ReadDefinition, CheckDefinition } from "../format/definition.ts";
import { type Origin, ofItems, ofMembers, ofVariable } from "./origin-parts.ts";
import { traceOrigin } from "./origins.ts";
import { findOwn } from "../../model/json.ts";
import { CHECK_MACROS } from "../functions/table.ts";

/** A read that a fact needs, as an author declares one. */
export type FactRead =
  | { readonly get: string; readonly name: string; readonly only: "openshift" }
  | { readonly list: string; readonly where: string; readonly only: "openshift" };

/** What an expression knows of the cluster as `cluster.NAME`: the value of another expression, which sees the fact's reads alone. */
type Fact = {
  readonly reads: Readonly<Record<string, FactRead>>;
  readonly expression: string;
  readonly type: Type;
};

const infrastructure = { get: "config.openshift.io/v1/infrastructures", name: "cluster", only: "openshift" } as const;
const network = { get: "config.openshift.io/v1/networks", name: "cluster", only: "openshift" } as const;
const version = { get: "config.openshift.io/v1/clusterversions", name: "version", only: "openshift" } as const;

/** OLM copies the CSV of an operator to every namespace that it watches. */
const operators = {
  list: CSV_RESOURCE,
  where: 'object.?status.?phase.orValue("") == "Succeeded" && !object.metadata.?labels[?"olm.copiedFrom"].hasValue()',
  only: "openshift",
} as const;

/** The facts of a cluster, by name. Two facts with the same read have it under the same key. */
export const CLUSTER_FACTS: Readonly<Record<string, Fact>> = {
  platform: {
    reads: { infrastructure },
    expression: 'infrastructure.?status.?platformStatus.?type.orValue("")',
    type: STRING,
  },
  topology: {
    reads: { infrastructure },
    expression: 'infrastructure.?status.?controlPlaneTopology.orValue("")',
    type: STRING,
  },
  /** Only a hosted control plane, which isn't on the cluster's own nodes, has this topology. */
  hosted: {
    reads: { infrastructure },
    expression: 'infrastructure.?status.?controlPlaneTopology.orValue("") == "External"',
    type: BOOL,
  },
  /** What names the object of the three facts above: a finding's `object` if the kind of cluster alone decides. */
  infrastructure: {
    reads: {},
    expression: '{"apiVersion": "config.openshift.io/v1", "kind": "Infrastructure", "name": "cluster"}',
    type: mapType(STRING, STRING),
  },
  network: { reads: { network }, expression: 'network.?status.?networkType.orValue("")', type: STRING },
  /** The newest entry is the first. */
  history: { reads: { version }, expression: "version.?status.?history.orValue([])", type: listType(DYN) },
  firstVersion: {
    reads: { version },
    expression: 'version.?status.?history.orValue([]).map(entry, entry.?version.orValue("")).last().orValue("")',
    type: STRING,
  },
  capabilities: {
    reads: { version },
    expression: "version.?status.?capabilities.?enabledCapabilities.orValue([])",
    type: listType(STRING),
  },
  /** The CSVs of the operators that OLM installed. */
  operators: { reads: { operators }, expression: "operators.items", type: listType(DYN) },
};

const SPACE = String.raw`(?:\s|\\[nrt])*`;
const MENTION = new RegExp(String.raw`\bcluster${SPACE}\.${SPACE}\??${SPACE}(\w+)`, "g");

/** The facts that rules name, as `cluster.NAME` or `cluster.?NAME`; a text may name more than expressions use. */
export function listMentionedFacts(rules: object): readonly string[] {
  const names = new Set([...JSON.stringify(rules).matchAll(MENTION)].map(([, name]) => name));
  return Object.keys(CLUSTER_FACTS).filter((name) => names.has(name));
}

/** Where the value of a read comes from. */
export function traceRead(key: string, { list, index = {} }: ReadDefinition): Origin {
  const object = ofVariable(key);
  if (list === undefined) return { ...object, isOptional: true };
  const lookUp = ofMembers([undefined, ofItems(object, false)]);
  const by = ofMembers(...Object.keys(index).map((name) => [name, lookUp] as const));
  return ofMembers(["items", ofItems(object, true)], ["byNamespace", lookUp], ["by", by]);
}

const traced = new Map<string, Origin>();

/** Where the facts of the cluster that a check may name come from: of reads whose keys begin with "@". */
export function traceFacts(spec: CheckDefinition["spec"]): Origin {
  return ofMembers(...listMentionedFacts(spec).map((name) => [name, traced.get(name) ?? traceFact(name)] as const));
}

function traceFact(name: string): Origin {
  const { reads, expression } = findOwn(CLUSTER_FACTS, name) ?? { reads: {}, expression: "null" };
  const names = new Map(Object.entries(reads).map(([key, read]) => [key, traceRead(`@${key}`, read)]));
  const origin = traceOrigin(parseExpression(expression, CHECK_MACROS), { names, use: () => undefined });
  traced.set(name, origin);
  return origin;
}
