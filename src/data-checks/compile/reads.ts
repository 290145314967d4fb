import { findKindScope } from "../kinds/kind-scope.ts";
import { type Resource, formatGroupResource, formatResource, parseResource } from "../../model/resource.ts";
import { type CompiledExpression, type Type, DYN, STRING, listType } from "../../schema/cel/index.ts";
import type { CheckRules, ReadDefinition } from "../format/definition.ts";
import { METADATA } from "../kinds/built-in-kinds.ts";
import { type KindTable, mergeTypes } from "../kinds/kind.ts";
import { findResourceFault } from "../kinds/resource-faults.ts";
import { ofVariable } from "./origin-parts.ts";
import type { Site, Compilation } from "./expressions.ts";
import { compileCondition, compileWhole, enter, refuse, requireType, compileValue } from "./expressions.ts";
import { findOwn } from "../../model/json.ts";
import { CLUSTER_FACTS, traceRead } from "./cluster-facts.ts";
import { type Names, getReadType } from "./names.ts";

/** A read whose expressions are compiled. `when` sees the reads without one. */
export type CompiledRead = {
  readonly key: string;
  readonly definition: ReadDefinition;
  readonly resource: Resource;
  readonly where: CompiledExpression | undefined;
  readonly indexes: readonly (readonly [name: string, key: CompiledExpression])[];
  readonly when: CompiledExpression | undefined;
};

/** The variable that stands for the object of a read in its own expressions. */
export function ownObject(key: string): string {
  return `@object ${key}`;
}

/** `site`: of the read, with the scope of `when`. */
export function compileRead(site: Site, key: string, definition: ReadDefinition): CompiledRead {
  const { where, index = {}, when } = definition;
  requireForm(site, definition);
  const origins = new Map([["object", ofVariable(ownObject(key))]]);
  const types = new Map([["object", site.compilation.objects.get(key) ?? DYN]]);
  const own: Site = { ...site, scope: { names: [["object", DYN]], types, origins, isInScan: false, isShared: true } };
  const condition = where === undefined ? undefined : compileCondition(enter(own, "where"), where);
  for (const part of condition?.after.tested ?? []) site.compilation.tested.add(part);
  return {
    key,
    definition,
    resource: getResource(definition),
    where: condition?.code,
    indexes: Object.entries(index).map(([name, text]) => [name, compileKeys(enter(own, "index", name), text)] as const),
    when: when === undefined ? undefined : compileCondition(enter(site, "when"), when).code,
  };
}

function getResource({ list, get = "v1/unknown" }: ReadDefinition): Resource {
  return parseResource(list ?? get);
}

function findObjectType(read: ReadDefinition, kinds: KindTable): Type {
  if (isSecret(read)) return DYN;
  return (read.metadataOnly === true ? METADATA : kinds.find(getResource(read))?.type) ?? DYN;
}

/** What is known of the objects of each read. A condition that several reads share may ask for fields that only some of their kinds have. */
export function listObjectTypes(reads: NonNullable<CheckRules["reads"]>, kinds: KindTable): ReadonlyMap<string, Type> {
  const own = Object.entries(reads).map(([key, read]) => ({
    key,
    where: read.where,
    type: findObjectType(read, kinds),
  }));
  return new Map(
    own.map(({ key, where, type }) => {
      const alike = where === undefined ? [] : own.filter((other) => other.where === where);
      return [key, alike.reduce((joined, other) => mergeTypes(joined, other.type), type)];
    }),
  );
}

function compileKeys(site: Site, text: string): CompiledExpression {
  const keys = compileWhole(site, text);
  const what = "a text or a list of texts";
  requireType(site, keys, [STRING, listType(STRING)], { what, hint: "write string(...)" });
  return keys.code;
}

/** Never read, whoever asks, and not their metadata alone either, since the right to list them is the right to read the credentials in them. */
const SECRET = /^(?:v1\/secrets|oauth\.openshift\.io\/v\w+\/(?:\w*tokens|oauthclients))$/;

function isSecret(definition: ReadDefinition): boolean {
  return SECRET.test(formatResource(getResource(definition)));
}

function requireForm(site: Site, definition: ReadDefinition): void {
  const { list, get, name, where, index, metadataOnly } = definition;
  if ((list === undefined) === (get === undefined))
    return refuse(site, "it needs either list or get", "list reads all objects of a kind, get the one with a name");
  requireServed(site, definition);
  if (get !== undefined && name === undefined)
    refuse(site, "get needs the name of the object", "add name: NAME, or NAMESPACE/NAME");
  if (get !== undefined && name !== undefined) requireScope(site, get, name);
  if (list !== undefined && name !== undefined)
    refuse(enter(site, "name"), "list reads all objects", "use get for one object");
  const ofLists = Object.entries({ where, index, metadataOnly, soundInPart: definition.soundInPart });
  if (get !== undefined)
    for (const [field, value] of ofLists)
      if (value !== undefined) refuse(enter(site, field), "only a list can have it", "leave it out");
  if (definition.of !== undefined) requireManifests(site, definition);
  if (isSecret(definition))
    refuse(
      enter(site, list === undefined ? "get" : "list"),
      "a check never reads Secrets, tokens or OAuthClients: they hold credentials",
      "read the status of the object that makes or uses it",
    );
}

/** What is said of reads of the cluster alone. */
function requireManifests(site: Site, definition: ReadDefinition): void {
  const { metadataOnly, soundInPart, list, get } = definition;
  for (const [field, value] of Object.entries({ metadataOnly, soundInPart }))
    if (value !== undefined)
      refuse(enter(site, field), "only a read of the cluster can have it", "leave it out, or leave out of: target");
  if (CRDS.test(list ?? get ?? ""))
    refuse(enter(site, "of"), "the target's CRDs are not kept", "crd-skew tells what they change");
}

const CRDS = /^apiextensions\.k8s\.io\/\w+\/customresourcedefinitions$/;

function requireServed(site: Site, definition: ReadDefinition): void {
  const fault = findResourceFault(getResource(definition));
  if (fault !== undefined)
    refuse(enter(site, definition.list === undefined ? "get" : "list"), fault.message, fault.hint);
}

/** Without its namespace, an object that has one is never found. */
function requireScope(site: Site, get: string, name: string): void {
  const resource = parseResource(get);
  const scope = findKindScope(resource) ?? site.compilation.kinds.find(resource)?.scope;
  const kind = formatGroupResource(resource);
  const bare = name.replace(/^.*\//, "");
  if (scope === "Namespaced" && bare === name)
    refuse(enter(site, "name"), `${kind} belong to namespaces`, `write NAMESPACE/${name}`);
  if (scope === "Cluster" && bare !== name)
    refuse(enter(site, "name"), `${kind} belong to no namespace`, `write ${bare}`);
}

/** A fact of the cluster; its expression sees the values of its reads alone, in their order. */
export type CompiledFact = {
  readonly name: string;
  readonly reads: readonly CompiledRead[];
  readonly names: Names;
  readonly code: CompiledExpression;
};

/** Two facts with the same read have it under the same key. */
export function compileFact(compilation: Compilation, name: string): CompiledFact {
  const { reads = {}, expression = "null" } = findOwn(CLUSTER_FACTS, name) ?? {};
  const entries = Object.entries(reads);
  const names: Names = entries.map(([key, read]) => [key, getReadType(read)]);
  const origins = new Map(entries.map(([key, read]) => [key, traceRead(`@${key}`, read)]));
  const site: Site = { compilation, scope: { names, origins, isInScan: false }, place: ["cluster", name] };
  const compiled = entries.map(([key, read]) => compileRead(site, `@${key}`, read));
  return { name, reads: compiled, names, code: compileValue(site, expression).code };
}
