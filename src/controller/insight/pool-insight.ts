import { flagAt, type JsonObject, textAt } from "../../model/json.ts";
import { matchesSelector, parseLabels, parseSelector } from "../../model/object.ts";
import {
  buildVerdict,
  compareNames,
  getUpdatingReason,
  type InsightResource,
  type InsightVerdict,
  isVerdict,
} from "./condition.ts";
import { buildPoolResource, CONTROL_PLANE_POOL, type NodeInsight } from "./node-insight.ts";

/** The status insight about one machine config pool: what its nodes' insights come to. */
export type PoolInsight = {
  readonly name: string;
  readonly resource: InsightResource;
  readonly scopeType: NodeInsight["scopeType"];
  readonly assessment: "Pending" | "Completed" | "Degraded" | "Excluded" | "Progressing";
  /** Percent of the nodes, rounded down. */
  readonly completion: number;
  readonly summaries: readonly { readonly type: NodeSummary; readonly count: number }[];
  readonly conditions: readonly InsightVerdict[];
};

type NodeSummary = "Total" | "Available" | "Progressing" | "Outdated" | "Draining" | "Excluded" | "Degraded";

const DEFAULT_POOL = "worker";

/** The pool that updates a node: that of the control plane, else one of its own, else the pool of workers. */
export function findMachineConfigPool(node: JsonObject, pools: readonly JsonObject[]): JsonObject | undefined {
  const labels = parseLabels(node, "metadata", "labels");
  const nameOf = (pool: JsonObject): string => textAt(pool, "metadata", "name") ?? "";
  const rank = (pool: JsonObject): number =>
    nameOf(pool) === CONTROL_PLANE_POOL ? 0 : nameOf(pool) === DEFAULT_POOL ? 2 : 1;
  return pools
    .filter((pool) => matchesSelector(parseSelector(pool["spec"], "nodeSelector"), labels))
    .toSorted((a, b) => rank(a) - rank(b) || compareNames({ name: nameOf(a) }, { name: nameOf(b) }))[0];
}

export function buildPoolInsight(pool: JsonObject, nodes: readonly NodeInsight[]): PoolInsight {
  const name = textAt(pool, "metadata", "name") ?? "";
  const counts = countNodes(nodes);
  return {
    name,
    resource: buildPoolResource(name),
    scopeType: name === CONTROL_PLANE_POOL ? "ControlPlane" : "WorkerPool",
    assessment: assess(counts, flagAt(pool, "spec", "paused") === true),
    completion: counts.Total === 0 ? 100 : Math.floor((100 * counts.updated) / counts.Total),
    summaries: SUMMARIES.map((type) => ({ type, count: counts[type] })),
    conditions: [judgeUpdating(counts)],
  };
}

const SUMMARIES: readonly NodeSummary[] = [
  "Total",
  "Available",
  "Progressing",
  "Outdated",
  "Draining",
  "Excluded",
  "Degraded",
];

type NodeCounts = Readonly<Record<NodeSummary | "updated" | "unknown" | "pending", number>>;

function countNodes(nodes: readonly NodeInsight[]): NodeCounts {
  const count = (test: (node: NodeInsight) => boolean): number => nodes.filter(test).length;
  const hasReason =
    (reason: string) =>
    ({ conditions }: NodeInsight): boolean =>
      getUpdatingReason(conditions) === reason;
  const updated = count(hasReason("Completed"));
  const unknown = count(({ conditions }) => isVerdict(conditions, "Updating", "Unknown"));
  return {
    Total: nodes.length,
    Available: count(({ conditions }) => isVerdict(conditions, "Available", "True")),
    Progressing: count(({ conditions }) => isVerdict(conditions, "Updating", "True")),
    Outdated: nodes.length - updated - unknown,
    Draining: count(hasReason("Draining")),
    Excluded: count(hasReason("Paused")),
    Degraded: count(({ conditions }) => isVerdict(conditions, "Degraded", "True")),
    pending: count(hasReason("Pending")),
    updated,
    unknown,
  };
}

/** A degraded node holds up the update only while there is something left of it. The API has no word for what isn't known. */
function assess(counts: NodeCounts, isPaused: boolean): PoolInsight["assessment"] {
  if (counts.updated === counts.Total) return "Completed";
  if (counts.Degraded > 0) return "Degraded";
  if (isPaused && counts.Excluded > 0 && counts.Progressing === 0) return "Excluded";
  return counts.pending + counts.unknown === counts.Total ? "Pending" : "Progressing";
}

function judgeUpdating(counts: NodeCounts): InsightVerdict {
  const { Total, Progressing, updated, unknown, pending, Excluded } = counts;
  const text = `${updated} of ${Total} nodes are updated.`;
  if (Progressing > 0) return buildVerdict("Updating", "True", ["Progressing", text]);
  if (unknown > 0)
    return buildVerdict("Updating", "Unknown", ["CannotDetermine", `${text} Of ${unknown} it is not known.`]);
  if (updated === Total) return buildVerdict("Updating", "False", ["Completed", text]);
  if (pending > 0) return buildVerdict("Updating", "False", ["Pending", `${text} ${pending} wait for their turn.`]);
  return buildVerdict("Updating", "False", ["Paused", `${text} ${Excluded} wait until the pool is no longer paused.`]);
}
