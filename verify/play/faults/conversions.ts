import type { JsonObject } from "../../../src/model/json.ts";
import { CRDS } from "../../api-server/api-path.ts";
import { eventually } from "../../shared/eventually.ts";
import type { Random } from "../../schema/random/random.ts";
import type { Fate, PlantedFault, PlayedWorld } from "../fault.ts";
import { type Backend, CLOSED_PORT, expose, startBackend } from "./backend.ts";
import { ask, createNamespace, getName, isAccepted, list, must, repeat } from "./objects.ts";

const NAMESPACE = "play-conversions";
const GROUP = "conversions.play.example.com";

/** Kinds whose objects a webhook converts: after the update they are read in every version. */
export const failingConversions: PlantedFault = {
  check: "webhooks",
  name: "conversion webhooks without a backend",
  risks: ["ConversionWebhookWithoutBackend"],
  applies: () => true,
  async plant(world) {
    await createNamespace(world, NAMESPACE);
    const backend = await startBackend(world, NAMESPACE);
    await expose(world, { namespace: NAMESPACE, name: "ready", port: backend.port, presence: "ready" });
    for (const presence of ["unready", "empty"] as const)
      await expose(world, { namespace: NAMESPACE, name: presence, port: CLOSED_PORT, presence });
    const kinds = repeat(world.random, KINDS).map((build) => build(world.random));
    await Promise.all(kinds.map((kind, i) => plantKind(world, buildCrd(`kind${i}`, kind, backend), kind.objects)));
  },
  async observe(world) {
    const names = (await list(world, CRDS)).map(getName).filter((name) => name.endsWith(`.${GROUP}`));
    return (await Promise.all(names.map((name) => observe(world, name)))).flat();
  },
};

async function observe(world: PlayedWorld, name: string): Promise<readonly Fate[]> {
  for (const version of BOTH) {
    const answer = await ask(world, `/apis/${GROUP}/${version}/${name.replace(`.${GROUP}`, "")}`);
    if (isAccepted(answer) || answer.code === 404) continue;
    const object = `CustomResourceDefinition ${name}`;
    return [{ risk: "ConversionWebhookWithoutBackend", object, effect: "unreadable" }];
  }
  return [];
}

type Kind = { readonly service: string; readonly versions: readonly string[]; readonly objects: number };

const BOTH = ["v1", "v1beta1"];
const pickDown = (random: Random): string => random.pick(["gone", "unready", "empty"]);

/** The first harms; the others have a backend, nothing to convert, or nothing to convert between. */
const KINDS: readonly ((random: Random) => Kind)[] = [
  (random) => ({ service: pickDown(random), versions: BOTH, objects: 1 + random.below(3) }),
  () => ({ service: "ready", versions: BOTH, objects: 2 }),
  (random) => ({ service: pickDown(random), versions: BOTH, objects: 0 }),
  (random) => ({ service: pickDown(random), versions: ["v1"], objects: 2 }),
];

function buildCrd(name: string, { service, versions }: Kind, { port, caBundle }: Backend): JsonObject {
  const reference = { namespace: NAMESPACE, name: service, port: service === "ready" ? port : CLOSED_PORT };
  const clientConfig = { caBundle, service: { ...reference, path: "/convert" } };
  const openAPIV3Schema = {
    type: "object",
    properties: { spec: { type: "object", properties: { field: { type: "string" } } } },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${name}s.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { plural: `${name}s`, singular: name, kind: buildKindName(name), listKind: `${buildKindName(name)}List` },
      versions: versions.map((version, i) => ({
        name: version,
        served: true,
        storage: i === 0,
        schema: { openAPIV3Schema },
      })),
      conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig } },
    },
  };
}

function buildKindName(name: string): string {
  return name.replace(/^k/, "K");
}

/** Objects are written in the stored version, which needs no conversion. */
async function plantKind(world: PlayedWorld, crd: JsonObject, objects: number): Promise<void> {
  const [plural = ""] = getName(crd).split(".");
  await must(world, "POST", CRDS, crd);
  for (let i = 0; i < objects; i += 1)
    await eventually(() =>
      must(world, "POST", `/apis/${GROUP}/v1/namespaces/${NAMESPACE}/${plural}`, {
        apiVersion: `${GROUP}/v1`,
        kind: buildKindName(plural.slice(0, -1)),
        metadata: { name: `object-${i}` },
        spec: { field: "a" },
      }),
    );
}
