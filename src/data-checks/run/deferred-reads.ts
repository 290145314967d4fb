import { type Read, type Reads, each, get } from "../../model/read.ts";
import type { CheckRules, ReadDefinition } from "../definition.ts";
import { CLUSTER_FACTS, listMentionedFacts } from "../facts.ts";
import type { CheckRead } from "./reads.ts";
import { type ReadScope, findAccess } from "./scope.ts";

/** The reads of rules before their expressions are compiled: `find` compiles them, for whoever needs more of a read than its path. */
export function deferReads(
  rules: CheckRules,
  scope: ReadScope | undefined,
  find: (key: string) => CheckRead | undefined,
): Reads {
  const ofFacts = listMentionedFacts(rules).flatMap((name) =>
    Object.entries(CLUSTER_FACTS[name]?.reads ?? {}).map(([key, read]) => [`@${key}`, read] as const),
  );
  const definitions: readonly (readonly [string, ReadDefinition])[] = [
    ...ofFacts,
    ...Object.entries(rules.reads ?? {}),
  ];
  const allowed = definitions.filter(([key, definition]) => findAccess({ key, definition }, scope) !== "none");
  return Object.fromEntries(allowed.map(([key, read]) => [key, deferRead(read, () => find(key))]));
}

function deferRead(
  { list, get: resource = "", name = "", only }: ReadDefinition,
  find: () => CheckRead | undefined,
): Read {
  const built =
    list === undefined
      ? get(resource, name, (object) => find()?.keep(object))
      : each(list, (object) => find()?.keep(object));
  return {
    ...built,
    only,
    get annotations() {
      return find()?.annotations ?? [];
    },
  };
}
