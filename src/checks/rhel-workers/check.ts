import { type Finding, defineCheck } from "../../model/check.ts";
import { each, valuesOf, soundInPart } from "../../model/read.ts";
import { rhelWorkersRemoved } from "./risks.ts";
import { type JsonObject, textAt } from "../../model/json.ts";

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

/** A node that runs package-based Red Hat Enterprise Linux instead of CoreOS. */
type RhelNode = { readonly name: string; readonly path: string; readonly message: string };

const LABEL = "node.openshift.io/os_id";

/**
 * The image's name decides if the node reports one. The label holds the id of /etc/os-release, which newer CoreOS images set to rhel
 * as well.
 */
export function keepRhelNode(object: JsonObject): RhelNode | undefined {
  const name = textAt(object, "metadata", "name") ?? "";
  const image = textAt(object, "status", "nodeInfo", "osImage") ?? "";
  if (/^Red Hat Enterprise Linux(?!.*CoreOS)/.test(image)) {
    return { name, path: "status.nodeInfo.osImage", message: `Its operating system is ${image.slice(0, 80)}.` };
  }
  if (image !== "" || textAt(object, "metadata", "labels", LABEL) !== "rhel") return undefined;
  return { name, path: `metadata.labels[${LABEL}]`, message: "Its label names rhel as its operating system." };
}
