import { type Finding, defineCheck } from "../../model/check.ts";
import { each, valuesOf, soundInPart } from "../../model/read.ts";
import { type RhelNode, keepRhelNode } from "./rhel-node.ts";
import { rhelWorkersRemoved } from "./risks.ts";

export default defineCheck({
  id: "rhel-workers",
  name: "RHELWorkersRemoved",
  title: "All nodes run an operating system that the target supports",
  risks: [rhelWorkersRemoved],
  applies: { kind: "crosses", minor: "4.19" },
  reads: () => ({ nodes: soundInPart("object", each("v1/nodes", keepRhelNode)) }),
  evaluate: ({ nodes }) => ({ findings: valuesOf(nodes).map(buildFinding) }),
});

function buildFinding({ name, path, message }: RhelNode): Finding {
  return { risk: rhelWorkersRemoved.name, object: { apiVersion: "v1", kind: "Node", name }, path, message };
}
