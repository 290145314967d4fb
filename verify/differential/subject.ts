import {
  type SchemaPair,
  type VersionPair,
  findStoredVersion,
  findVersionPair,
} from "../../src/checks/crd-skew/crd-pair.ts";
import { type Crd, parseCrd } from "../../src/model/crd.ts";
import { type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { type CompiledSchema, compileSchema } from "../../src/schema/crd/index.ts";
import { hasFeature } from "../../src/schema/openapi/index.ts";
import type { Opponent } from "./opponent.ts";
import type { Round } from "./round.ts";

/** A round whose objects can be judged: the version in which they are read and written, and its schemas. */
export type Subject = {
  readonly round: Round;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  /** Whether the version has a status subresource, before and after. */
  readonly hasStatus: { readonly before: boolean; readonly after: boolean };
  /** Whether a status may hold embedded resources. */
  readonly embedsInStatus: boolean;
  readonly schemas: SchemaPair & { readonly before: CompiledSchema };
};

/**
 * Undefined if the two share no version, or if a schema can't be compiled. `minor`: of Kubernetes. The packages are asked without
 * subresources, and whether an object can be applied, not whether the result has a resourceVersion.
 */
export function buildSubject(round: Round, minor: number, against: Opponent): Subject | undefined {
  const installed = parseCrd(round.before);
  const target = parseCrd(round.after);
  if (installed === undefined || target === undefined) return undefined;
  const pair = findVersion(installed, target);
  const version = pair?.after.name;
  const stored = pair && against === "server" ? findStoredVersion(installed, target, pair.after) : undefined;
  const storedAs = stored && compileVersion(target, stored.name, minor, against);
  const [before, after] = [installed, target].map((crd) => compileVersion(crd, version, minor, against));
  if (version === undefined || before === undefined || after === undefined) return undefined;
  return {
    round,
    version,
    plural: installed.plural,
    kind: installed.kind,
    isNamespaced: installed.scope === "Namespaced",
    hasStatus: { before: hasStatus(round.before, version), after: hasStatus(round.after, version) },
    embedsInStatus: after.root.properties.get("status")?.hasExtensions ?? false,
    schemas: {
      before,
      after,
      hasRatcheting: hasFeature("ratcheting", minor),
      ...(storedAs ? { storedAs } : {}),
    },
  };
}

/** As crd-skew chooses it; if nothing changes, the one that is stored. */
function findVersion(installed: Crd, target: Crd): VersionPair | undefined {
  const pair = findVersionPair({ installed, target });
  if (pair !== undefined) return pair.before.name === pair.after.name ? pair : undefined;
  const after = target.versions.find(({ storage }) => storage);
  const before = installed.versions.find(({ name, served }) => served && name === after?.name);
  return before && after?.served ? { before, after, hasWebhook: false } : undefined;
}

function compileVersion(
  { versions, preserveUnknownFields }: Crd,
  name: string | undefined,
  kubernetesMinor: number,
  against: Opponent,
): CompiledSchema | undefined {
  const version = versions.find((one) => one.name === name);
  const isServer = against === "server";
  const compiled = compileSchema(version?.schema ?? "", {
    kubernetesMinor,
    preserveUnknownFields,
    scale: isServer ? version?.scale : undefined,
    hasStatus: isServer && version?.subresources.includes("status") === true,
  });
  if (compiled.kind === "refused") return undefined;
  return isServer ? compiled : { ...compiled, isAtomic: false };
}

function hasStatus(crd: JsonObject, name: string): boolean {
  const version = listAt(crd, "spec", "versions").find((one) => textAt(one, "name") === name);
  return objectAt(version ?? {}, "subresources")["status"] !== undefined;
}

/** Objects of other versions are converted, which only a server does. */
export function isOfVersion(object: JsonObject, { version }: Subject): boolean {
  return textAt(object, "apiVersion")?.endsWith(`/${version}`) ?? false;
}
