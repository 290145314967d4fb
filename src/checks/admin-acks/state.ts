import { type JsonObject, textAt } from "../../model/json.ts";
import { type Each, type Get, type Values, each, get } from "../../model/read.ts";
import type { Gate, Trigger } from "./gates.ts";

/** What of the cluster makes operators ask. Absent: not read, because no gate on the way needs it, or because it could not be. */
export type State = {
  readonly platform?: string;
  readonly arm64?: boolean;
  readonly gatewayCrds?: boolean;
};

export type StateReads = {
  readonly infrastructure?: Get<string>;
  readonly nodes?: Each<true>;
  readonly crds?: Each<true>;
};

export function allStateReads(): Required<StateReads> {
  return {
    infrastructure: get("config.openshift.io/v1/infrastructures", "cluster", keepPlatform),
    nodes: each("v1/nodes", keepArm64),
    crds: each("apiextensions.k8s.io/v1/customresourcedefinitions", keepGateway),
  };
}

/** Only what the gates ahead depend on. */
export function stateReads(ahead: readonly Gate[]): StateReads {
  const kinds = new Set(ahead.map(({ trigger }) => trigger?.kind));
  const all = allStateReads();
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

export function stateOf({ infrastructure, nodes, crds }: Partial<Values<StateReads>>): State {
  return {
    ...(infrastructure?.kind === "found" ? { platform: infrastructure.value } : {}),
    ...(nodes?.kind === "found" ? { arm64: nodes.values.length > 0 } : {}),
    ...(crds?.kind === "found" ? { gatewayCrds: crds.values.length > 0 } : {}),
  };
}

/** Will the gate be there? `unread` where the read failed, which is told elsewhere. */
export function triggered({ trigger }: Gate, state: State): "yes" | "no" | "unsure" | "unread" {
  return trigger === undefined ? "yes" : byTrigger(trigger, state);
}

function byTrigger(trigger: Trigger, { platform, arm64, gatewayCrds }: State): "yes" | "no" | "unsure" | "unread" {
  switch (trigger.kind) {
    case "later":
      return "unsure";
    case "platform":
      // On such a platform it depends on more, which can still change.
      return platform === undefined || platform === "" || trigger.platforms.includes(platform) ? "unsure" : "no";
    case "arm64Nodes":
      return certainly(arm64);
    case "gatewayCrds":
      return certainly(gatewayCrds);
  }
}

function certainly(there: boolean | undefined): "yes" | "no" | "unread" {
  if (there === undefined) return "unread";
  return there ? "yes" : "no";
}
