import type { Crd, CrdVersion } from "../../model/crd.ts";
import { type CompiledSchema, compileSchema } from "../../schema/crd/index.ts";
import { hasFeature } from "../../schema/openapi/index.ts";
import { type CrdPair, type Minors, findStorage } from "./crd-pair.ts";
import type { KindPlan, KindRead, VersionPair } from "./kind-plan.ts";

/** A CRD as an API server judges by it. Schemas are compiled when they are first needed. */
export type ServerSchemas = {
  readonly versions: readonly string[];
  /**
   * The same for versions that are alike. Undefined if the CRD has no such version, or one whose schema can't be compiled: any object is then
   * valid.
   */
  readonly get: (version: string) => CompiledSchema | undefined;
  /** The version in which writes are stored. */
  readonly storage: string;
  /** Does it tolerate invalid values that a write leaves unchanged? */
  readonly hasRatcheting: boolean;
  /** Does a webhook convert objects, so that nobody else knows what they are in another version? */
  readonly hasWebhook: boolean;
};

/** Versions that are alike in both CRDs, and so are judged once, by the first of them: not if their lists have keys. */
export type JudgedVersions = { readonly names: readonly string[]; readonly before: string; readonly after: string };

/** What the objects of one list are judged by. */
export type KindSchemas = {
  readonly today: ServerSchemas;
  readonly target: ServerSchemas;
  readonly judged: readonly JudgedVersions[];
  /** The version in which objects are read today. */
  readonly shown: string;
  /** The versions in which an object may be stored; none if objects are judged as they are shown. */
  readonly storedIn: readonly string[];
  readonly hasSeveralVersions: boolean;
  /** In this version, in which objects are stored, the target removes or changes defaults. */
  readonly changesDefaultsIn?: string | undefined;
};

/** Throws, at once or with its first schema, if nothing can be judged: this fails the read, and so makes this kind unknown and no other. */
export function compileKind(
  pair: CrdPair,
  { storedIn, hasSeveralVersions, changesDefaultsIn }: KindPlan,
  { shown, judged }: KindRead,
  minors: Minors,
): KindSchemas {
  for (const versions of judged) requireUnconverted(pair.target, versions);
  return {
    ...getServers(pair, minors),
    judged: groupAlike(judged),
    shown: shown.name,
    storedIn,
    hasSeveralVersions,
    changesDefaultsIn,
  };
}

function requireUnconverted(target: Crd, { before, after }: VersionPair): void {
  if (before.name !== after.name && target.conversion.strategy === "Webhook")
    throw new Error(
      `no version is served by both releases, and how a webhook converts ${before.name} to ${after.name} is not known`,
    );
}

function groupAlike(judged: readonly VersionPair[]): readonly JudgedVersions[] {
  const first = ({ before, after }: VersionPair): VersionPair | undefined =>
    judged.find(
      (one) => one.after === after || (isAlike(one.before, before) && isAlike(one.after, after) && !hasKeys(after)),
    );
  return [...Map.groupBy(judged, first)].flatMap(([one, alike]) =>
    one ? [{ names: alike.map(({ before }) => before.name), before: one.before.name, after: one.after.name }] : [],
  );
}

/** A conversion, as server-side apply makes it for managed fields, refuses duplicates that the version itself tolerates. */
function hasKeys({ schema }: CrdVersion): boolean {
  return /"x-kubernetes-list-type":"(?:set|map)"/.test(schema);
}

/** Do objects fare alike in both versions? */
function isAlike(a: CrdVersion, b: CrdVersion): boolean {
  const has = ({ subresources }: CrdVersion): boolean => subresources.includes("status");
  return a.schema === b.schema && has(a) === has(b) && JSON.stringify(a.scale) === JSON.stringify(b.scale);
}

type Servers = Pick<KindSchemas, "today" | "target">;

/** The schemas of a target's CRD, which outlives a cycle, and of the installed one that they were compared with. */
type KeptServers = { readonly key: string; readonly schemas: readonly string[]; readonly servers: Servers };
const keptServers = new WeakMap<Crd, KeptServers>();
/** The longest schemas that are kept, together: a compiled one takes some ten times its text. */
const LONGEST_KEPT = 32 * 1024;

function getServers({ installed, target }: CrdPair, minors: Minors): Servers {
  const key = JSON.stringify([
    minors,
    installed.preserveUnknownFields,
    installed.versions.map(({ schema: _schema, ...version }) => version),
  ]);
  const schemas = installed.versions.map(({ schema }) => schema);
  const kept = keptServers.get(target);
  if (kept?.key === key && kept.schemas.every((schema, i) => schema === schemas[i])) return kept.servers;
  const servers = {
    today: buildServer(installed, minors.source, false),
    target: buildServer(target, minors.target, true),
  };
  const all = [...schemas, ...target.versions.map(({ schema }) => schema)];
  if (all.reduce((sum, { length }) => sum + length, 0) <= LONGEST_KEPT)
    keptServers.set(target, { key, schemas, servers });
  return servers;
}

/** Today's CRD may have a schema that no API server accepts any more, which then refuses nothing. */
export function buildServer(crd: Crd, kubernetesMinor: number, isTarget: boolean): ServerSchemas {
  const compiled = new Map<string, CompiledSchema | undefined>();
  const get = (name: string): CompiledSchema | undefined => {
    if (!compiled.has(name)) compiled.set(name, compile(name));
    return compiled.get(name);
  };
  const compile = (name: string): CompiledSchema | undefined => {
    const version = crd.versions.find((one) => one.name === name);
    const first = version && crd.versions.find((one) => isAlike(one, version));
    if (first === undefined || first.schema === "") return undefined;
    return first === version ? compileVersion(crd, first, kubernetesMinor, isTarget) : get(first.name);
  };
  return {
    versions: crd.versions.map(({ name }) => name),
    get,
    storage: findStorage(crd)?.name ?? "",
    hasRatcheting: hasFeature("ratcheting", kubernetesMinor),
    hasWebhook: crd.conversion.strategy === "Webhook",
  };
}

function compileVersion(
  { preserveUnknownFields }: Crd,
  { name, schema, scale, subresources }: CrdVersion,
  kubernetesMinor: number,
  isTarget: boolean,
): CompiledSchema | undefined {
  const hasStatus = subresources.includes("status");
  const compiled = compileSchema(schema, { kubernetesMinor, preserveUnknownFields, scale, hasStatus });
  if (compiled.kind === "prepared") return compiled;
  if (isTarget) throw new Error(`the target's schema of version ${name} could not be parsed: ${compiled.message}`);
  return undefined;
}
