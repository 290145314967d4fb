import { textAt } from "../../../src/model/json.ts";
import { findCondition } from "../../../src/model/object.ts";
import { eventually } from "../../shared/eventually.ts";
import type { Random } from "../../schema/random/random.ts";
import type { Fate, PlantedFault, PlayedWorld } from "../fault.ts";
import { CLOSED_PORT, expose, type Presence, startBackend } from "./backend.ts";
import { ask, backdateConditions, createNamespace, getName, isAccepted, list, must, repeat } from "./objects.ts";

const NAMESPACE = "play-apiservices";
const DOMAIN = "aggregated.play.example.com";
const API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

type Server = { readonly presence: Presence | "no service"; readonly minutes: number };

const HOUR = 60;

/** The first two harm; the next answers. */
const SERVERS: readonly ((random: Random) => Server)[] = [
  (random) => ({ presence: random.pick<Server["presence"]>(["unready", "empty", "no service"]), minutes: HOUR }),
  () => ({ presence: "no service", minutes: HOUR }),
  () => ({ presence: "ready", minutes: 0 }),
];

/** Aggregated APIs: after the update each is asked for its resources. */
export const unavailableApis: PlantedFault = {
  check: "apiservices",
  name: "aggregated APIs without a server",
  risks: ["AggregatedApiUnavailable"],
  applies: () => true,
  async plant(world) {
    await createNamespace(world, NAMESPACE);
    const { port, caBundle } = await startBackend(world, NAMESPACE);
    const servers = repeat(world.random, SERVERS).map((build) => build(world.random));
    for (const [i, { presence, minutes }] of servers.entries()) {
      const name = `server-${i}`;
      const own = presence === "ready" ? port : CLOSED_PORT;
      if (presence !== "no service") await expose(world, { namespace: NAMESPACE, name, port: own, presence });
      const spec = { group: `g${i}.${DOMAIN}`, version: "v1", groupPriorityMinimum: 1, versionPriority: 1 };
      const service = { namespace: NAMESPACE, name, port: own };
      await must(world, "POST", API_SERVICES, {
        apiVersion: "apiregistration.k8s.io/v1",
        kind: "APIService",
        metadata: { name: `v1.g${i}.${DOMAIN}` },
        spec: { ...spec, service, caBundle },
      });
      await waitForVerdict(world, `${API_SERVICES}/v1.g${i}.${DOMAIN}`, presence === "ready" ? "True" : "False");
      await backdateConditions(world, `${API_SERVICES}/v1.g${i}.${DOMAIN}`, minutes);
    }
  },
  async observe(world) {
    const names = (await list(world, API_SERVICES)).map(getName).filter((name) => name.endsWith(DOMAIN));
    return (await Promise.all(names.map((name) => observe(world, name)))).flat();
  },
};

async function observe(world: PlayedWorld, name: string): Promise<readonly Fate[]> {
  const answer = await ask(world, `/apis/${name.replace(/^v1\./, "")}/v1`);
  if (isAccepted(answer)) return [];
  return [{ risk: "AggregatedApiUnavailable", object: `APIService ${name}`, effect: "unavailable" }];
}

function waitForVerdict(world: PlayedWorld, path: string, wanted: string): Promise<void> {
  return eventually(async () => {
    const condition = findCondition(await must(world, "GET", path), "Available");
    if (textAt(condition, "status") !== wanted)
      throw new Error(`${path} is not ${wanted}: ${textAt(condition, "message")}`);
  });
}
