import { getInfrastructurePlatform } from "../../model/infrastructure.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { type Each, type Get, type ListResult, type ReadResults, each, get } from "../../model/read.ts";
import type { Gate, Trigger } from "./gates.ts";

export type TriggerReads = {
  readonly infrastructure?: Get<string>;
  readonly nodes?: Each<true>;
  readonly crds?: Each<true>;
};

export function buildAllTriggerReads(): Required<TriggerReads> {
  return {
    infrastructure: get("config.openshift.io/v1/infrastructures", "cluster", getInfrastructurePlatform),
    nodes: each("v1/nodes", keepArm64),
    crds: each("apiextensions.k8s.io/v1/customresourcedefinitions", keepGateway),
  };
}

/** Only the reads that the gates on the way depend on. */
export function selectTriggerReads(upcoming: readonly Gate[]): TriggerReads {
  const kinds = new Set(upcoming.map(({ trigger }) => trigger?.kind));
  const all = buildAllTriggerReads();
  return {
    infrastructure: kinds.has("platform") ? all.infrastructure : undefined,
    nodes: kinds.has("arm64Nodes") ? all.nodes : undefined,
    crds: kinds.has("gatewayCrds") ? all.crds : undefined,
  };
}

function keepArm64(node: JsonObject): true | undefined {
  return textAt(node, "status", "nodeInfo", "architecture") === "arm64" ? true : undefined;
}

const GATEWAY_GROUP = /^gateway\.networking\.(?:x-)?k8s\.io$/;

function keepGateway(crd: JsonObject): true | undefined {
  return GATEWAY_GROUP.test(textAt(crd, "spec", "group") ?? "") ? true : undefined;
}

/** What makes operators add gates. What is absent was not read: no gate on the way depends on it, or the read failed. */
export type TriggerFacts = Partial<ReadResults<TriggerReads>>;

/** Whether the gate will exist. `unknown`: the read that decides failed, and the runner reports that. */
export type Prediction = "yes" | "no" | "unsure" | "unknown";

export function predictGate({ trigger }: Gate, facts: TriggerFacts): Prediction {
  return trigger === undefined ? "yes" : predictTrigger(trigger, facts);
}

function predictTrigger(trigger: Trigger, { infrastructure, nodes, crds }: TriggerFacts): Prediction {
  switch (trigger.kind) {
    case "later":
      return "unsure";
    case "platform": {
      const platform = infrastructure?.kind === "found" ? infrastructure.value : "";
      // On these platforms the gate depends on more, which can still change.
      return platform === "" || trigger.platforms.includes(platform) ? "unsure" : "no";
    }
    case "arm64Nodes":
      return predictPresence(nodes);
    case "gatewayCrds":
      return predictPresence(crds);
  }
}

function predictPresence(objects: ListResult<true> | undefined): Prediction {
  if (objects?.kind !== "found") return "unknown";
  return objects.values.length > 0 ? "yes" : "no";
}
