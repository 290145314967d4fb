import { type JsonObject, objectAt } from "../../../src/model/json.ts";
import { parseMinorOrdinal } from "../../../src/model/version.ts";
import { CRDS } from "../../api-server/api-path.ts";
import { eventually } from "../../shared/eventually.ts";
import type { Fate, PlantedFault, PlayedPair, PlayedWorld } from "../fault.ts";
import { changeStatus, getName, list, must } from "./objects.ts";

const GROUP = "gateway.networking.k8s.io";
/** What the ingress operator of 4.19 brings of each: the standard channel of the Gateway API. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  gatewayclasses: ["v1", "v1beta1"],
  gateways: ["v1", "v1beta1"],
  grpcroutes: ["v1"],
  httproutes: ["v1", "v1beta1"],
  referencegrants: ["v1", "v1beta1"],
};

/** Definitions of the Gateway API that somebody else installed: after the update the ingress operator's are written in their place. */
export const olderGatewayCrds: PlantedFault = {
  check: "gateway-api-crds",
  name: "definitions of the Gateway API that the ingress operator can't replace",
  risks: ["GatewayAPIStoredVersionsLost"],
  applies: (pair) => crosses(pair, "4.19") || "Only 4.19 takes over the definitions of the Gateway API.",
  async plant(world) {
    for (const [plural, versions] of Object.entries(OPERATORS)) {
      const older = world.random.pick(["v1alpha2", "v1alpha3"]);
      await must(world, "POST", CRDS, buildCrd(plural, [...versions, older]));
      const isStored = world.random.chance(0.5);
      const path = `${CRDS}/${plural}.${GROUP}`;
      await eventually(async () => {
        await changeStatus(world, path, (status) => ({ ...status, storedVersions: isStored ? [older, "v1"] : ["v1"] }));
      });
    }
  },
  async observe(world) {
    const fates: Fate[] = [];
    for (const crd of (await list(world, CRDS)).filter((one) => getName(one).endsWith(`.${GROUP}`)))
      if (await isRefused(world, crd))
        fates.push({
          risk: "GatewayAPIStoredVersionsLost",
          object: `CustomResourceDefinition ${getName(crd)}`,
          effect: "refused",
        });
    return fates;
  },
};

export function crosses({ source, target }: PlayedPair, minor: string): boolean {
  const at = parseMinorOrdinal(minor);
  return parseMinorOrdinal(source) < at && at <= parseMinorOrdinal(target);
}

async function isRefused({ api }: PlayedWorld, crd: JsonObject): Promise<boolean> {
  const [plural = ""] = getName(crd).split(".");
  const next = buildCrd(plural, OPERATORS[plural] ?? ["v1"]);
  const { code } = await api.call("PUT", `${CRDS}/${getName(crd)}?dryRun=All`, {
    ...crd,
    spec: objectAt(next, "spec"),
  });
  return code === 422;
}

function buildCrd(plural: string, versions: readonly string[]): JsonObject {
  const singular = plural.replace(/(?:e(?=es$))?s$/, "");
  const kind = `${singular.slice(0, 1).toUpperCase()}${singular.slice(1)}`;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const annotations = {
    "api-approved.kubernetes.io": "https://github.com/kubernetes-sigs/gateway-api/pull/2466",
    [`${GROUP}/bundle-version`]: "v1.0.0",
    [`${GROUP}/channel`]: "experimental",
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}`, annotations },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { plural, singular, kind, listKind: `${kind}List` },
      versions: versions.map((name) => ({ name, served: true, storage: name === "v1", schema })),
    },
  };
}
