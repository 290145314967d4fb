import { type Read, type Reads, each, get } from "../../model/read.ts";
import { defined } from "../../model/optional.ts";
import type { CheckRules, ReadDefinition } from "../definition.ts";
import { CLUSTER_FACTS } from "../facts.ts";
import type { CheckRead } from "./reads.ts";

/** The reads of rules before their expressions are compiled: `find` compiles them, for whoever needs more of a read than its path. */
export function deferReads(rules: CheckRules, find: (key: string) => CheckRead | undefined): Reads {
  const ofFacts = listMentionedFacts(rules).flatMap((fact) =>
    Object.entries(fact.reads).map(([key, read]) => [`@${key}`, read] as const),
  );
  const definitions: readonly (readonly [string, ReadDefinition])[] = [
    ...ofFacts,
    ...Object.entries(rules.reads ?? {}),
  ];
  return Object.fromEntries(definitions.map(([key, read]) => [key, deferRead(read, () => find(key))]));
}

/** It may be that only a text names a fact, and no expression. */
function listMentionedFacts(rules: CheckRules): readonly (typeof CLUSTER_FACTS)[string][] {
  const text = JSON.stringify(rules);
  return Object.entries(CLUSTER_FACTS).flatMap(([name, fact]) => (text.includes(`cluster.${name}`) ? [fact] : []));
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
    ...defined({ only }),
    get annotations() {
      return find()?.annotations ?? [];
    },
  };
}
