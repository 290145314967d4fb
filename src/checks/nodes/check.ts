import { defineCheck } from "../../model/check.ts";
import { buildTopologyRead } from "../../model/infrastructure.ts";
import { type Each, each, onlyOn, valuesOf, withAnnotations } from "../../model/read.ts";
import { keepUnpausedHealthCheck } from "./health-check.ts";
import { MACHINE_CONFIG_ANNOTATIONS } from "../shared/node.ts";
import { keepNode } from "./node.ts";
import { buildPodsRead } from "./pod-requests.ts";
import { keepPool } from "./pool.ts";
import { risks } from "./risks.ts";
import { judgeNodes } from "./verdict.ts";
import { MACHINE_CONFIG_POOLS } from "../shared/machine-config-pools.ts";

export default defineCheck({
  id: "nodes",
  name: "NodesNotReady",
  title: "Nodes are available, and can be drained in turn",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  platforms: ["openshift", "kubernetes"],
  seenAfterUpdate: "The nodes are updated too, except those of paused pools.",
  reads: () => ({
    nodes: withAnnotations([MACHINE_CONFIG_ANNOTATIONS], each("v1/nodes", keepNode)),
    pools: onlyOn("openshift", each(MACHINE_CONFIG_POOLS, keepPool)),
    topology: onlyOn("openshift", buildTopologyRead()),
  }),
  mayRead: () => ({ healthChecks: buildHealthChecksRead(), pods: buildPodsRead() }),
  // A single node has no other to which its pods could move.
  follow: ({ nodes }) => ({
    ...(valuesOf(nodes).length > 0 ? { healthChecks: buildHealthChecksRead() } : {}),
    ...(valuesOf(nodes).length > 1 ? { pods: buildPodsRead() } : {}),
  }),
  evaluate({ nodes, pools, topology }, context, { healthChecks, pods }) {
    if (valuesOf(nodes).length === 0) return { notApplicable: "The cluster has no nodes." };
    const cluster = {
      nodes: valuesOf(nodes),
      pools: valuesOf(pools),
      isHighlyAvailable: topology.kind === "found" && topology.value === "HighlyAvailable",
      unpausedHealthChecks: healthChecks ? valuesOf(healthChecks) : [],
      requests: pods ? valuesOf(pods) : [],
    };
    // They give notices alone.
    return { ...judgeNodes(cluster, context), irrelevantReads: ["healthChecks", "pods"] };
  },
});

function buildHealthChecksRead(): Each<string> {
  return onlyOn("openshift", each("machine.openshift.io/v1beta1/machinehealthchecks", keepUnpausedHealthCheck));
}
