import { globSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type JsonObject, objectAt, textsAt } from "../../../src/model/json.ts";
import type { PlantedFault, PlayedWorld } from "../fault.ts";
import { crosses } from "./gateway-crds.ts";
import { must } from "./objects.ts";

const SETS = join(import.meta.dirname, "../../../examples/component-checks");
const POLICIES = "/apis/config.openshift.io/v1/clusterimagepolicies";
const NAME = "openshift";
const RELEASE_SCOPE = "quay.io/openshift-release-dev/ocp-release";
const PUBLIC_KEY = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEUoFUoYARaKXGy59xe5SQOk2aJ8o+
2/Yz5Y8GcN3zFE6ViIvkGnHhMlAhXaX/bo0M9R62s0/6q++T7uWwNFuOg8A==
-----END PUBLIC KEY-----
`;

/** A policy with the name of the release's own, which the target's payload brings with the check that warns of it. */
const replacedImagePolicies: PlantedFault = {
  check: "payload-image-policy-name",
  name: "a policy with the name of the release's own, found by a check in the payload",
  risks: ["ImagePolicyReplaced"],
  applies: (pair) => crosses(pair, "4.21") || "Only 4.21 brings a policy of this name.",
  async plant(world) {
    await shipChecks(world, "machine-config");
    const manifest = JSON.stringify(buildPolicy(NAME, [RELEASE_SCOPE]));
    await writeFile(join(world.payload, "release-manifests", "0000_90_openshift-cluster-image-policy.yaml"), manifest);
    const own = world.random.chance(0.7) ? ["registry.example.com/shop"] : [];
    await must(world, "POST", POLICIES, buildPolicy(NAME, [...own, RELEASE_SCOPE]));
    await must(world, "POST", POLICIES, buildPolicy("shop", ["registry.example.com/shop"]));
  },
  /** The cluster-version operator writes the manifest in place of what is there. */
  async observe(world) {
    const before = await must(world, "GET", `${POLICIES}/${NAME}`);
    const spec = objectAt(buildPolicy(NAME, [RELEASE_SCOPE]), "spec");
    const after = await must(world, "PUT", `${POLICIES}/${NAME}`, { ...before, spec });
    const kept = listScopes(after);
    const isReplaced = listScopes(before).some((scope) => !kept.includes(scope));
    return isReplaced
      ? [{ risk: "ImagePolicyReplaced", object: `ClusterImagePolicy ${NAME}`, effect: "replaced" }]
      : [];
  },
};

export const COMPONENT_FAULTS: readonly PlantedFault[] = [replacedImagePolicies];

/** Puts a component's checks into the target's payload, as its operator's repository would. */
async function shipChecks({ payload }: PlayedWorld, component: string): Promise<void> {
  for (const file of globSync(join(SETS, component, "manifests", "*.yaml")))
    await copyFile(file, join(payload, "release-manifests", basename(file)));
}

function buildPolicy(name: string, scopes: readonly string[]): JsonObject {
  const publicKey = { keyData: Buffer.from(PUBLIC_KEY).toString("base64") };
  const policy = { rootOfTrust: { policyType: "PublicKey", publicKey } };
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterImagePolicy",
    metadata: { name },
    spec: { scopes, policy },
  };
}

function listScopes(policy: JsonObject): readonly string[] {
  return textsAt(objectAt(policy, "spec"), "scopes");
}
