import { type JsonObject, textAt } from "../../model/json.ts";
import { type Each, type Get, type ReadResults, each, get } from "../../model/read.ts";
import type { Gate, Trigger } from "./gates.ts";

/** What of the cluster makes operators ask. Absent: not read, because no gate on the way needs it, or because it could not be. */
export type TriggerFacts = {
  readonly platform?: string;
  readonly arm64?: boolean;
  readonly gatewayCrds?: boolean;
};

export type TriggerReads = {
  readonly infrastructure?: Get<string>;
  readonly nodes?: Each<true>;
  readonly crds?: Each<true>;
};

export function buildAllTriggerReads(): Required<TriggerReads> {
  return {
    infrastructure: get("config.openshift.io/v1/infrastructures", "cluster", keepPlatform),
    nodes: each("v1/nodes", keepArm64),
    crds: each("apiextensions.k8s.io/v1/customresourcedefinitions", keepGateway),
  };
}

/** Only what the gates ahead depend on. */
export function selectTriggerReads(upcoming: readonly Gate[]): TriggerReads {
  const kinds = new Set(upcoming.map(({ trigger }) => trigger?.kind));
  const all = buildAllTriggerReads();
  return {
    ...(kinds.has("platform") ? { infrastructure: all.infrastructure } : {}),
    ...(kinds.has("arm64Nodes") ? { nodes: all.nodes } : {}),
    ...(kinds.has("gatewayCrds") ? { crds: all.crds } : {}),
  };
}

function keepPlatform(infrastructure: JsonObject): string {
  return (
    textAt(infrastructure, "status", "platformStatus", "type") ?? textAt(infrastructure, "status", "platform") ?? ""
  );
}

function keepArm64(node: JsonObject): true | undefined {
  return textAt(node, "status", "nodeInfo", "architecture") === "arm64" ? true : undefined;
}

const GATEWAY_GROUP = /^gateway\.networking\.(?:x-)?k8s\.io$/;

function keepGateway(crd: JsonObject): true | undefined {
  return GATEWAY_GROUP.test(textAt(crd, "spec", "group") ?? "") ? true : undefined;
}

export function getTriggerFacts({ infrastructure, nodes, crds }: Partial<ReadResults<TriggerReads>>): TriggerFacts {
  return {
    ...(infrastructure?.kind === "found" ? { platform: infrastructure.value } : {}),
    ...(nodes?.kind === "found" ? { arm64: nodes.values.length > 0 } : {}),
    ...(crds?.kind === "found" ? { gatewayCrds: crds.values.length > 0 } : {}),
  };
}

/** Will the gate be there? `unread` where the read failed, which is told elsewhere. */
export function predictGate({ trigger }: Gate, facts: TriggerFacts): "yes" | "no" | "unsure" | "unread" {
  return trigger === undefined ? "yes" : predictTrigger(trigger, facts);
}

function predictTrigger(
  trigger: Trigger,
  { platform, arm64, gatewayCrds }: TriggerFacts,
): "yes" | "no" | "unsure" | "unread" {
  switch (trigger.kind) {
    case "later":
      return "unsure";
    case "platform":
      // On such a platform it depends on more, which can still change.
      return platform === undefined || platform === "" || trigger.platforms.includes(platform) ? "unsure" : "no";
    case "arm64Nodes":
      return predictPresence(arm64);
    case "gatewayCrds":
      return predictPresence(gatewayCrds);
  }
}

function predictPresence(isPresent: boolean | undefined): "yes" | "no" | "unread" {
  if (isPresent === undefined) return "unread";
  return isPresent ? "yes" : "no";
}
