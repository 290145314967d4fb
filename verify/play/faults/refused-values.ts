import { objectAt, textAt } from "../../../src/model/json.ts";
import { parseMinorOrdinal } from "../../../src/model/version.ts";
import type { AdminResponse } from "../../api-server/admin-api.ts";
import type { PlantedFault } from "../fault.ts";
import { crosses } from "./gateway-crds.ts";
import { must } from "./objects.ts";

const CONFIG = "/apis/config.openshift.io/v1";
const NODES = `${CONFIG}/nodes`;
const VERSIONS = `${CONFIG}/clusterversions`;
/** A new object, whose values are not ratcheted. */
const FRESH = "play";

/** The mode of all nodes, by chance the one that ends: after the update it is written anew. */
export const oldCgroups: PlantedFault = {
  check: "cgroup-v1",
  name: "the first version of control groups",
  risks: ["CgroupV1Removed"],
  applies: (pair) => crosses(pair, "4.19") || "Only 4.19 removes the first version of control groups.",
  async plant(world) {
    const cgroupMode = world.random.chance(0.7) ? "v1" : "v2";
    const node = await must(world, "GET", `${NODES}/cluster`);
    await must(world, "PUT", `${NODES}/cluster`, { ...node, spec: { ...objectAt(node, "spec"), cgroupMode } });
  },
  async observe(world) {
    const spec = objectAt(await must(world, "GET", `${NODES}/cluster`), "spec");
    const object = { apiVersion: "config.openshift.io/v1", kind: "Node", metadata: { name: FRESH }, spec };
    const answer = await world.api.call("POST", `${NODES}?dryRun=All`, object);
    return refuses(answer, /spec\.cgroupMode/)
      ? [{ risk: "CgroupV1Removed", object: "Node cluster", effect: "rejected" }]
      : [];
  },
};

/** The capabilities that the cluster runs: after a rollback the operator writes them anew. */
export const unknownCapabilities: PlantedFault = {
  check: "capability-enums",
  name: "capabilities of a later release",
  risks: ["CapabilityRejected"],
  applies: ({ source, target }) =>
    parseMinorOrdinal(target) < parseMinorOrdinal(source) ||
    "Each release knows the capabilities of all earlier ones, so only rollbacks show it.",
  plant: async () => {},
  async observe(world) {
    const running = await must(world, "GET", `${VERSIONS}/version`);
    const spec = { clusterID: textAt(running, "spec", "clusterID") ?? "" };
    const object = { apiVersion: "config.openshift.io/v1", kind: "ClusterVersion", metadata: { name: FRESH }, spec };
    const fresh = await must(world, "POST", VERSIONS, object);
    const path = `${VERSIONS}/${FRESH}`;
    const answer = await world.api.call("PUT", `${path}/status?dryRun=All`, {
      ...fresh,
      status: objectAt(running, "status"),
    });
    await must(world, "DELETE", path);
    const isRefused = refuses(answer, /Unsupported value/);
    return isRefused ? [{ risk: "CapabilityRejected", object: "ClusterVersion version", effect: "rejected" }] : [];
  },
};

/** Any other answer than a success or this refusal would say nothing. */
function refuses({ code, body }: AdminResponse, reason: RegExp): boolean {
  const message = textAt(body, "message") ?? "";
  if (code >= 300 && !reason.test(message)) throw new Error(`${code} ${message}`);
  return code >= 300;
}
