import { findStorage, hasWebhook, planKind } from "../../src/checks/crd-skew/kind-plan.ts";
import type { KindSchemas, ServerSchemas } from "../../src/checks/crd-skew/kind-schemas.ts";
import { type Crd, type CrdVersion, parseCrd } from "../../src/model/crd.ts";
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
  readonly schemas: SubjectSchemas;
  /** As crd-skew judges by them. */
  readonly judged: KindSchemas;
};

/** `storedAs`: the target's schema of the version in which objects are stored, if it is another one. */
type SubjectSchemas = {
  readonly before: CompiledSchema;
  readonly after: CompiledSchema;
  readonly storedAs?: CompiledSchema;
};

/**
 * Undefined if the two share no version, or if a schema can't be compiled. `minor`: of Kubernetes. The packages are asked without
 * subresources, and whether an object can be applied, not whether the result has a resourceVersion.
 */
export function buildSubject(round: Round, minor: number, against: Opponent): Subject | undefined {
  const installed = parseCrd(round.before);
  const target = parseCrd(round.after);
  if (installed === undefined || target === undefined) return undefined;
  const version = findVersion(installed, target, minor);
  const stored = against === "server" ? findOtherStored(installed, target, version) : undefined;
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
    schemas: { before, after, ...(storedAs ? { storedAs } : {}) },
    judged: buildJudged(version, minor, before, after, stored && storedAs && { name: stored.name, storedAs }),
  };
}

function buildJudged(
  version: string,
  minor: number,
  before: CompiledSchema,
  after: CompiledSchema,
  stored: { readonly name: string; readonly storedAs: CompiledSchema } | undefined,
): KindSchemas {
  const build = (schema: CompiledSchema): ServerSchemas => ({
    versions: [version],
    get: (name) => (name === version ? schema : undefined),
    storage: version,
    hasRatcheting: hasFeature("ratcheting", minor),
  });
  const target = build(after);
  return {
    today: build(before),
    target: stored ? { ...target, get: (name) => (name === stored.name ? stored.storedAs : target.get(name)) } : target,
    judged: [{ names: [version], before: version, after: version }],
    shown: version,
    storedIn: [stored?.name ?? version],
    hasSeveralVersions: false,
  };
}

/** The target's version by which objects are read from etcd, if it is another one. */
function findOtherStored(installed: Crd, target: Crd, version: string | undefined): CrdVersion | undefined {
  if (hasWebhook({ installed, target })) return undefined;
  const shown = target.versions.find(({ name }) => name === version);
  const stored = target.versions.find(({ name }) => name === findStorage(installed)?.name);
  return stored === undefined || stored.schema === shown?.schema || stored.schema === "" ? undefined : stored;
}

/** The first of those that crd-skew judges; if nothing changes, the one that is stored. */
function findVersion(installed: Crd, target: Crd, minor: number): string | undefined {
  const plan = planKind({ installed, target }, { source: minor, target: minor });
  const isChanged = ({ name }: CrdVersion): boolean =>
    installed.versions.find((one) => one.name === name)?.schema !==
    target.versions.find((one) => one.name === name)?.schema;
  const judged = plan?.reads.flatMap((list) => list.judged) ?? [];
  if (plan !== undefined) {
    const pair = judged.find(({ after }) => isChanged(after)) ?? judged[0];
    return pair?.before.name === pair?.after.name ? pair?.after.name : undefined;
  }
  const after = findStorage(target);
  const before = installed.versions.find(({ name, served }) => served && name === after?.name);
  return before && after?.served ? after.name : undefined;
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
