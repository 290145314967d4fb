import type { Resource } from "../../model/resource.ts";
import { parseResource } from "../../model/resource.ts";
import { DYN, STRING, listType, type CompiledExpression } from "../../schema/cel/index.ts";
import type { ReadDefinition } from "../definition.ts";
import type { DocumentPlace } from "../fault.ts";
import { ofVariable } from "../origin-parts.ts";
import {
  type Compilation,
  type CompiledPart,
  type NameScope,
  compileCondition,
  compileWhole,
  requireType,
} from "./expressions.ts";

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

/** `scope`: of `when`. */
export function compileRead(
  compilation: Compilation,
  scope: NameScope,
  place: DocumentPlace,
  key: string,
  definition: ReadDefinition,
): CompiledRead {
  const { where, index = {}, when } = definition;
  requireForm(compilation, place, definition);
  const own: NameScope = {
    names: [["object", DYN]],
    origins: new Map([["object", ofVariable(ownObject(key))]]),
    isInScan: false,
  };
  const at = (...steps: readonly string[]): DocumentPlace => [...place, ...steps];
  const condition = where === undefined ? undefined : compileCondition(compilation, own, at("where"), where);
  for (const part of condition?.after.tested ?? []) compilation.tested.add(part);
  return {
    key,
    definition,
    resource: parseResource(definition.list ?? definition.get ?? "v1/unknown"),
    where: condition?.code,
    indexes: Object.entries(index).map(([name, text]) => {
      const part = compileWhole(compilation, own, at("index", name), text);
      requireKeys(compilation, part);
      return [name, part.code] as const;
    }),
    when: when === undefined ? undefined : compileCondition(compilation, scope, at("when"), when).code,
  };
}

function requireKeys(compilation: Compilation, part: CompiledPart): void {
  const what = "a text or a list of texts";
  requireType(compilation, part, [STRING, listType(STRING)], { what, hint: "write string(...)" });
}

/** Never read, whoever asks, and not their metadata alone either, since the right to list them is the right to read the credentials in them. */
const SECRET = /^(?:v1\/secrets|oauth\.openshift\.io\/v\w+\/(?:\w*tokens|oauthclients))$/;

function requireForm({ faults }: Compilation, place: DocumentPlace, definition: ReadDefinition): void {
  const { list, get, name, where, index, metadataOnly } = definition;
  const refuse = (message: string, hint: string, ...steps: readonly string[]): void =>
    void faults.push({ severity: "error", place: [...place, ...steps], message, hint });
  if ((list === undefined) === (get === undefined))
    return refuse("it needs either list or get", "list reads all objects of a kind, get the one with a name");
  if (get !== undefined && name === undefined)
    refuse("get needs the name of the object", "add name: NAME, or NAMESPACE/NAME");
  if (list !== undefined && name !== undefined) refuse("list reads all objects", "use get for one object", "name");
  const ofLists = Object.entries({ where, index, metadataOnly, soundInPart: definition.soundInPart });
  if (get !== undefined)
    for (const [field, value] of ofLists)
      if (value !== undefined) refuse("only a list can have it", "leave it out", field);
  if (SECRET.test(list ?? get ?? ""))
    refuse(
      "a check never reads Secrets, tokens or OAuthClients: they hold credentials",
      "read the status of the object that makes or uses it",
      list === undefined ? "get" : "list",
    );
}
