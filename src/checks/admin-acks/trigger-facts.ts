import { getInfrastructurePlatform } from "../shared/infrastructure.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";
import { type Each, type Get, type ReadResults, each, get } from "../../model/read.ts";
import type { Gate, Trigger } from "./gates.ts";

/** The facts that make operators add gates. An absent one was not read: no gate on the way depends on it, or the read failed. */
export type TriggerFacts = {
  readonly platform?: string;
  readonly hasArm64Nodes?: boolean;
  readonly hasGatewayCrds?: boolean;
};

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
  return defined({
    infrastructure: kinds.has("platform") ? all.infrastructure : undefined,
    nodes: kinds.has("arm64Nodes") ? all.nodes : undefined,
    crds: kinds.has("gatewayCrds") ? all.crds : undefined,
  });
}

function keepArm64(node: JsonObject): true | undefined {
  return textAt(node, "status", "nodeInfo", "architecture") === "arm64" ? true : undefined;
}

const GATEWAY_GROUP = /^gateway\.networking\.(?:x-)?k8s\.io$/;

function keepGateway(crd: JsonObject): true | undefined {
  return GATEWAY_GROUP.test(textAt(crd, "spec", "group") ?? "") ? true : undefined;
}

export function getTriggerFacts({ infrastructure, nodes, crds }: Partial<ReadResults<TriggerReads>>): TriggerFacts {
  return defined({
    platform: infrastructure?.kind === "found" ? infrastructure.value : undefined,
    hasArm64Nodes: nodes?.kind === "found" ? nodes.values.length > 0 : undefined,
    hasGatewayCrds: crds?.kind === "found" ? crds.values.length > 0 : undefined,
  });
}

/** Whether the gate will exist. `unknown`: the read that decides failed, and the runner reports that. */
export type Prediction = "yes" | "no" | "unsure" | "unknown";

export function predictGate({ trigger }: Gate, facts: TriggerFacts): Prediction {
  return trigger === undefined ? "yes" : predictTrigger(trigger, facts);
}

function predictTrigger(trigger: Trigger, { platform, hasArm64Nodes, hasGatewayCrds }: TriggerFacts): Prediction {
  switch (trigger.kind) {
    case "later":
      return "unsure";
    case "platform":
      // On these platforms the gate depends on more, which can still change.
      return platform === undefined || platform === "" || trigger.platforms.includes(platform) ? "unsure" : "no";
    case "arm64Nodes":
      return predictPresence(hasArm64Nodes);
    case "gatewayCrds":
      return predictPresence(hasGatewayCrds);
  }
}

function predictPresence(isPresent: boolean | undefined): Prediction {
  if (isPresent === undefined) return "unknown";
  return isPresent ? "yes" : "no";
}
