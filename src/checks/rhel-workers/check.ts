import { type Finding, defineCheck } from "../../model/check.ts";
import { each, valuesOf } from "../../model/read.ts";
import { type RhelNode, keepRhelNode } from "./node.ts";
import { rhelWorkers } from "./risks.ts";

export default defineCheck({
  id: "rhel-workers",
  name: "RHELWorkersRemoved",
  title: "All nodes run an operating system that the target supports",
  risks: [rhelWorkers],
  applies: { kind: "crosses", minor: "4.19" },
  needsManifests: false,
  reads: () => ({ nodes: each("v1/nodes", keepRhelNode) }),
  evaluate: ({ nodes }) => ({ findings: valuesOf(nodes).map(findingOf) }),
});

function findingOf({ name, path, message }: RhelNode): Finding {
  return { risk: rhelWorkers.name, object: { apiVersion: "v1", kind: "Node", name }, path, message };
}
