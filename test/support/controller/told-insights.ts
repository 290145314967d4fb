import { type JsonObject, listAt, objectAt, textAt } from "../../../src/model/json.ts";
import type { STAGES } from "./update-stage.ts";

/** What the written insights say, in short. */
export type ToldInsights = {
  readonly operators: string;
  /** Of control plane and workers: assessment and completion. */
  readonly pools: string;
  readonly nodes: string;
  readonly health: readonly string[];
};

export function listTold(insights: ReadonlyMap<string, JsonObject>): ToldInsights {
  const members = (key: string): readonly JsonObject[] =>
    [...insights.values()].filter((one) => key in one).map((one) => objectAt(one, key));
  const reasons = (key: string): readonly string[] =>
    members(key).map((one) => textAt(listAt(one, "conditions")[0], "reason") ?? "");
  const nodes = reasons("node");
  return {
    operators: reasons("clusterOperator").join(" "),
    pools: members("machineConfigPool")
      .map((one) => `${textAt(one, "assessment")} ${JSON.stringify(one["completion"])}`)
      .join(", "),
    nodes: new Set(nodes).size === 1 ? (nodes[0] ?? "") : nodes.join(" "),
    health: [...insights.keys()].flatMap((key) => key.split(".health-").slice(1)).toSorted(),
  };
}

/** Of the objects of `update-stage.ts`, in the words of the written insights. */
export const TOLD: Readonly<Record<keyof typeof STAGES, ToldInsights>> = {
  "before any update": {
    operators: "Updated Updated",
    pools: "Completed 100, Completed 100",
    nodes: "Completed",
    health: [],
  },
  "an update that has only begun": {
    operators: "Pending Pending",
    pools: "Pending 0, Pending 0",
    nodes: "Pending",
    health: [],
  },
  "operators on their way": {
    operators: "Progressing Pending",
    pools: "Pending 0, Pending 0",
    nodes: "Pending",
    health: [],
  },
  "an operator that is degraded and holds up the update": {
    operators: "Pending Updated",
    pools: "Pending 0, Pending 0",
    nodes: "Pending",
    health: ["co-dns-degraded", "cv-version-failing"],
  },
  "an operator that is down, and one that says nothing": {
    operators: "Pending CannotDetermine",
    pools: "Pending 0, Pending 0",
    nodes: "Pending",
    health: ["co-dns-unavailable"],
  },
  "nodes of the control plane that are drained and reboot": {
    operators: "Updated Progressing",
    pools: "Progressing 33, Progressing 0",
    nodes: "Completed Draining Rebooting Updating Draining Pending",
    health: [],
  },
  "a control plane that is complete, and workers on their way": {
    operators: "Updated Updated",
    pools: "Completed 100, Progressing 33",
    nodes: "Completed Completed Completed Completed Updating Pending",
    health: [],
  },
  "workers whose pool is paused": {
    operators: "Updated Updated",
    pools: "Completed 100, Excluded 33",
    nodes: "Completed Completed Completed Completed Paused Paused",
    health: ["mcp-worker-paused"],
  },
  "a worker that is degraded": {
    operators: "Updated Updated",
    pools: "Completed 100, Degraded 33",
    nodes: "Completed Completed Completed Completed Updating Pending",
    health: ["node-worker-1-degraded"],
  },
  "an update that is complete, and another configuration on its way": {
    operators: "Updated Updated",
    pools: "Completed 100, Completed 100",
    nodes: "Completed",
    health: [],
  },
  "a ClusterVersion that contradicts itself": {
    operators: "Updated CannotDetermine",
    pools: "Progressing 33, Pending 0",
    nodes: "Completed CannotDetermine CannotDetermine CannotDetermine CannotDetermine CannotDetermine",
    health: ["node-control-1-unavailable"],
  },
  "an update that is complete, which parts of the control plane contradict": {
    operators: "Updated CannotDetermine",
    pools: "Progressing 33, Completed 100",
    nodes: "Completed CannotDetermine CannotDetermine Completed Completed Completed",
    health: [],
  },
};
