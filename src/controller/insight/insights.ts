import { formatCanonicalJson, type Json, type JsonObject, objectAt, textAt } from "../../model/json.ts";
import { compareNames, getUpdatingReason, type InsightVerdict, isVerdict, toConditions } from "./condition.ts";
import type { UpdateProgress } from "./condition.ts";
import { buildHealthInsights, type InsightSubjects } from "./health-insight.ts";
import type { ClusterVersionInsight } from "./insight.ts";
import { buildNodeInsight, type FindConfigVersion, type NodeInsight } from "./node-insight.ts";
import { buildOperatorInsight } from "./operator-insight.ts";
import { buildPoolInsight, findMachineConfigPool } from "./pool-insight.ts";

/** What the insights beside ClusterVersion's own follow from. */
export type InsightObjects = {
  readonly clusterVersion: JsonObject;
  readonly insight: ClusterVersionInsight;
  readonly operators: readonly JsonObject[];
  readonly pools: readonly JsonObject[];
  readonly nodes: readonly JsonObject[];
  readonly findVersion: FindConfigVersion;
};

/** The first informer speaks of the control plane, the second of nodes; an insight's key is its informer's name and its uid. */
export const INSIGHT_PREFIXES = ["usc.cpi.", "usc.ni."] as const;
const [CONTROL_PLANE, NODES] = INSIGHT_PREFIXES;

/** A ConfigMap has at most 1 MiB: of more nodes, those that are updated are left out first. Their pools count them all. */
export const MAX_NODE_INSIGHTS = 300;

/** The insights by their keys. What is as it was before keeps its times. */
export function buildInsights(
  objects: InsightObjects,
  previous: (key: string) => JsonObject | undefined,
  now: string,
): ReadonlyMap<string, JsonObject> {
  const subjects = buildSubjects(objects);
  const { operators, pools, nodes } = subjects;
  const drafts = [
    ...operators.map((one) => draft(`${CONTROL_PLANE}co-${one.name}`, "ClusterOperator", one)),
    ...pools.map((one) => draft(`${NODES}mcp-${one.name}`, "MachineConfigPool", one)),
    ...selectNodes(nodes).map((one) => draft(`${NODES}node-${one.name}`, "Node", one)),
    ...buildHealthInsights(subjects).map(({ id, ...one }) => {
      const isOfNodes = id.startsWith("mcp-") || id.startsWith("node-");
      return draft(`${isOfNodes ? NODES : CONTROL_PLANE}health-${id}`, "Health", one);
    }),
  ];
  return new Map(drafts.map((one) => [one.key, toInsight(one, previous(one.key), now)]));
}

function buildSubjects(objects: InsightObjects): InsightSubjects {
  const { clusterVersion, insight, findVersion } = objects;
  const progress = toProgress(insight);
  const nodes = objects.nodes
    .flatMap((node) => {
      const pool = findMachineConfigPool(node, objects.pools);
      return pool === undefined ? [] : [buildNodeInsight(node, pool, progress, findVersion)];
    })
    .toSorted(compareNames);
  const isOf = (pool: JsonObject) => (node: NodeInsight) => node.poolResource.name === textAt(pool, "metadata", "name");
  return {
    clusterVersion,
    progress,
    operators: objects.operators.map((one) => buildOperatorInsight(one, progress)).toSorted(compareNames),
    pools: objects.pools.map((pool) => buildPoolInsight(pool, nodes.filter(isOf(pool)))).toSorted(compareNames),
    nodes,
  };
}

const STATES = { True: "running", False: "over", Unknown: "unknown" } as const;

function toProgress({ conditions, versions }: ClusterVersionInsight): UpdateProgress {
  const target = versions.target.version;
  return {
    target,
    state: STATES[conditions[0]?.status ?? "Unknown"],
    isSameVersion: versions.previous?.version === target,
  };
}

function selectNodes(nodes: readonly NodeInsight[]): readonly NodeInsight[] {
  if (nodes.length <= MAX_NODE_INSIGHTS) return nodes;
  const rank = ({ conditions }: NodeInsight): number =>
    isVerdict(conditions, "Degraded", "True") ? 0 : getUpdatingReason(conditions) === "Completed" ? 2 : 1;
  return nodes.toSorted((a, b) => rank(a) - rank(b) || compareNames(a, b)).slice(0, MAX_NODE_INSIGHTS);
}

type InsightDraft = { readonly key: string; readonly type: keyof typeof MEMBERS; readonly content: InsightContent };
/** Its conditions, if it has any, still lack their times. */
type InsightContent = Readonly<Record<string, unknown>> & { readonly conditions?: readonly InsightVerdict[] };

/** The field that holds an insight of each type. */
const MEMBERS = {
  ClusterOperator: "clusterOperator",
  MachineConfigPool: "machineConfigPool",
  Node: "node",
  Health: "health",
} as const;

function draft(key: string, type: InsightDraft["type"], content: InsightContent): InsightDraft {
  return { key, type, content };
}

function toInsight({ key, type, content }: InsightDraft, previous: JsonObject | undefined, now: string): JsonObject {
  const member = MEMBERS[type];
  const before = objectAt(previous, member);
  const times =
    content.conditions === undefined
      ? { startedAt: textAt(before, "startedAt") ?? now }
      : { conditions: toConditions(content.conditions, before, now) };
  const uid = INSIGHT_PREFIXES.reduce(
    (rest, prefix) => (rest.startsWith(prefix) ? rest.slice(prefix.length) : rest),
    key,
  );
  const insight = { uid, acquiredAt: now, type, [member]: { ...content, ...times } };
  const kept: JsonObject = JSON.parse(JSON.stringify(insight));
  const acquiredAt = textAt(previous, "acquiredAt");
  return isSame(kept, previous) && acquiredAt !== undefined ? { ...kept, acquiredAt } : kept;
}

/** Apart from when it was acquired. */
function isSame(insight: JsonObject, previous: JsonObject | undefined): boolean {
  return previous !== undefined && toText(insight) === toText(previous);
}

function toText({ acquiredAt: _time, ...rest }: JsonObject): string {
  const value: Json = rest;
  return formatCanonicalJson(value);
}
