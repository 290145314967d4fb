import { type Json, at, isList, isObject, listAt, textAt } from "../../../../src/model/json.ts";
import type { Random } from "../../../../verify/schema/random/random.ts";
import { createBundle } from "./bundles.ts";
import { choice } from "../../../../verify/schema/definition/choice.ts";
import { change } from "../../../../verify/schema/definition/release-crds.ts";
import { type Mutable, mutable } from "../../../../verify/schema/definition/schemas.ts";

/** A CRD as a cluster holds it, valid or not: an older API server may have accepted what today's refuses. */
export function createInstalled(base: Mutable, certificates: readonly string[], random: Random): Mutable {
  const definition = structuredClone(base);
  const { name } = mutable(definition["metadata"] ?? {});
  if (random.chance(0.5)) change(definition, random);
  if (random.chance(0.25)) giveWebhook(definition, certificates, random);
  definition["metadata"] = { ...mutable(definition["metadata"] ?? {}), name: name ?? "" };
  return { ...definition, status: buildStatus(definition, at(base, "spec", "names") ?? {}, random) };
}

/** Versions may be stored that the definition does not serve, and the names may not be accepted yet. */
function buildStatus(definition: Mutable, acceptedNames: Json, random: Random): Mutable {
  const versions = listAt(definition, "spec", "versions").flatMap((version) => textAt(version, "name") ?? []);
  const stored = versions.filter(() => random.chance(0.7));
  const condition = (type: string): Mutable => ({
    type,
    status: "True",
    reason: "Test",
    message: "",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  });
  const isEstablished = random.chance(0.85);
  return {
    acceptedNames: structuredClone(acceptedNames),
    conditions: [condition("NamesAccepted"), ...(isEstablished ? [condition("Established")] : [])],
    storedVersions: random.chance(0.05) ? [...stored, "v0alpha1"] : stored,
  };
}

function giveWebhook(definition: Mutable, certificates: readonly string[], random: Random): void {
  const service = { name: "a", namespace: "b", path: "/c", port: 443 };
  const webhook = {
    clientConfig: { service, caBundle: createBundle(certificates, random) },
    conversionReviewVersions: choice(random, [["v1"], ["v1"], ["v2"], ["v1beta1", "v1"]]),
  };
  mutable(definition["spec"] ?? {})["conversion"] = { strategy: "Webhook", webhook };
}

/** A change that an update may bring; `base` is the CRD as its release has it. */
export function createUpdate(
  installed: Mutable,
  base: Mutable,
  certificates: readonly string[],
  random: Random,
): readonly [changes: string, definition: Mutable] {
  const definition = structuredClone(
    random.chance(0.8) ? installed : { ...base, metadata: installed["metadata"] ?? {} },
  );
  const changes = random.chance(0.4) ? [change(definition, random)] : [];
  if (random.chance(0.7)) changes.push(changeForUpdate(definition, certificates, random));
  const { status: _, ...rest } = definition;
  rest["metadata"] = { ...mutable(rest["metadata"] ?? {}), name: at(installed, "metadata", "name") ?? "" };
  return [changes.join(", "), rest];
}

function changeForUpdate(definition: Mutable, certificates: readonly string[], random: Random): string {
  const spec = mutable(definition["spec"] ?? {});
  const versions = listAt(spec, "versions");
  const [name, act] = choice<readonly [string, () => void]>(random, [
    ["remove a version", () => void (spec["versions"] = versions.filter(() => random.chance(0.6)))],
    ["another order", () => void (spec["versions"] = versions.toReversed())],
    ["another storage version", () => moveStorage(versions, random)],
    ["another scope", () => void (spec["scope"] = choice(random, ["Namespaced", "Cluster"]))],
    ["another kind", () => void (mutable(spec["names"] ?? {})["kind"] = choice(random, ["Other", "", "other"]))],
    ["a webhook", () => giveWebhook(definition, certificates, random)],
    ["a webhook", () => giveWebhook(definition, certificates, random)],
    ["no webhook", () => void (spec["conversion"] = { strategy: "None" })],
    ["unknown fields", () => void (spec["preserveUnknownFields"] = random.chance(0.5))],
    ["no schema", () => dropSchema(random.oneOf(versions))],
    ["no annotations", () => void delete mutable(definition["metadata"] ?? {})["annotations"]],
    ["nothing", () => undefined],
  ]);
  act();
  return name;
}

function moveStorage(versions: readonly Json[], random: Random): void {
  const place = random.below(versions.length);
  for (const [i, version] of versions.entries()) mutable(version)["storage"] = i === place;
}

function dropSchema(version: Json | undefined): void {
  if (isObject(version) && !isList(version)) delete mutable(version)["schema"];
}
