import { type JsonObject, textAt } from "../../model/json.ts";

/** A node that runs Red Hat Enterprise Linux with packages, not CoreOS. */
export type RhelNode = { readonly name: string; readonly path: string; readonly message: string };

const LABEL = "node.openshift.io/os_id";

/**
 * The image's name decides where there is one: CoreOS is built from RHEL, and newer images call themselves so in their id. The label
 * is the id of /etc/os-release.
 */
export function keepRhelNode(object: JsonObject): RhelNode | undefined {
  const name = textAt(object, "metadata", "name") ?? "";
  const image = textAt(object, "status", "nodeInfo", "osImage") ?? "";
  if (/^Red Hat Enterprise Linux(?!.*CoreOS)/.test(image)) {
    return { name, path: "status.nodeInfo.osImage", message: `Its operating system is ${image.slice(0, 80)}.` };
  }
  if (image !== "" || textAt(object, "metadata", "labels", LABEL) !== "rhel") return undefined;
  return { name, path: `metadata.labels[${LABEL}]`, message: "Its label says that it runs rhel." };
}
