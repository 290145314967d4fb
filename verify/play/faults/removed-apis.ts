import { type JsonObject, listAt, textAt } from "../../../src/model/json.ts";
import type { Fate, PlantedFault, PlayedWorld } from "../fault.ts";
import { GROUP } from "./definition-kinds.ts";
import { ask, getName, list } from "./objects.ts";
import { type CountedApi, COUNTS, plantRequestCount } from "./request-counts.ts";

type Planted = CountedApi & {
  /** The minor whose API server lacks it, as the cluster announces it. */
  readonly removedIn?: number;
  readonly verbs: readonly [string, ...string[]];
};

const NEEDS: Planted["verbs"] = ["update", "watch", "create"];
const POLICIES = { group: "admissionregistration.k8s.io", version: "v1beta1", removedIn: 34 };

const APIS: readonly Planted[] = [
  { ...POLICIES, resource: "validatingadmissionpolicies", verbs: NEEDS },
  { ...POLICIES, resource: "validatingadmissionpolicybindings", verbs: ["list", "get"] },
  { group: "admissionregistration.k8s.io", version: "v1", resource: "validatingadmissionpolicies", verbs: NEEDS },
  { group: "apps", version: "v1", resource: "statefulsets", verbs: NEEDS },
  { group: "batch", version: "v1", resource: "cronjobs", verbs: NEEDS },
  { group: "flowcontrol.apiserver.k8s.io", version: "v1", resource: "flowschemas", verbs: NEEDS },
  { group: "policy", version: "v1", resource: "poddisruptionbudgets", verbs: NEEDS },
  { group: "storage.k8s.io", version: "v1", resource: "csistoragecapacities", removedIn: 50, verbs: NEEDS },
];

/** Clients of API versions, as the cluster counts them: after the update each requests its version again. */
export const removedApis: PlantedFault = {
  check: "removed-apis",
  name: "clients of Kubernetes API versions",
  risks: ["RemovedKubernetesAPIInUse"],
  applies: ({ emulated }) =>
    emulated !== undefined ||
    "The server can't behave as these minors of Kubernetes, and serves the same before and after.",
  async plant(world) {
    const before = world.pair.emulated?.before ?? 0;
    for (const { removedIn, verbs, ...api } of APIS) {
      // What is gone already has no clients.
      if (removedIn !== undefined && removedIn <= before) continue;
      const removal = removedIn === undefined ? {} : { removedIn: `1.${removedIn}` };
      await plantRequestCount(world, api, { verb: world.random.pick(verbs), ...removal });
    }
  },
  async observe(world) {
    const counts = (await list(world, COUNTS)).filter((count) => !getName(count).endsWith(`.${GROUP}`));
    const needed = counts.filter(isNeeded).map(getName);
    return (await Promise.all(needed.map((name) => observe(world, name)))).flat();
  },
};

/** Whether clients do more than list what is served. */
function isNeeded(count: JsonObject): boolean {
  const hours = listAt(count, "status", "last24h");
  const users = hours.flatMap((hour) => listAt(hour, "byNode")).flatMap((node) => listAt(node, "byUser"));
  const verbs = users.flatMap((user) => listAt(user, "byVerb")).map((verb) => textAt(verb, "verb"));
  return verbs.some((verb) => verb !== "list" && verb !== "get");
}

async function observe(world: PlayedWorld, name: string): Promise<readonly Fate[]> {
  const [resource = "", version = "", ...group] = name.split(".");
  const path = group.length === 0 ? `/api/${version}` : `/apis/${group.join(".")}/${version}`;
  const { code } = await ask(world, `${path}/${resource}?limit=1`);
  return code === 404 ? [{ risk: "RemovedKubernetesAPIInUse", object: `APIRequestCount ${name}`, effect: "gone" }] : [];
}
