import type { Type, Declarations } from "../../schema/cel/index.ts";
import { BOOL, DYN, INT, STRING, TIMESTAMP, listType, mapType, optionalType } from "../../schema/cel/index.ts";
import { objectType } from "../kinds/kind.ts";
import { CLUSTER_FACTS } from "./cluster-facts.ts";
import { CHECK_FUNCTIONS, CHECK_MACROS } from "../functions/table.ts";
import { UPDATE_VARIABLES } from "../functions/versions.ts";
import type { ReadDefinition } from "../format/definition.ts";

/** Variables and their types, in the order of their values. */
export type Names = Declarations["variables"];

const RELEASE = objectType("release", {
  version: STRING,
  minor: STRING,
  ordinal: INT,
  kubernetes: INT,
  openshift: INT,
  pre: listType(STRING),
  text: STRING,
});

/** The update, which every expression and every text may use. */
export const UPDATE_NAMES: Names = [
  ...UPDATE_VARIABLES,
  ["source", RELEASE],
  ["target", RELEASE],
  ["update", objectType("update", { kind: STRING, leavesMinor: BOOL })],
];

/** What the texts of a risk use besides. `fixes`: "Update to 4.21.3 or a later 4.21 instead". */
const REMEDIATION_NAMES: Names = [...UPDATE_NAMES, ["fixes", STRING]];

/** By the field of the text: a remediation is also told before anything is found. */
export const RISK_NAMES = {
  message: [
    ...REMEDIATION_NAMES,
    ["objects", STRING],
    ["objectCount", INT],
    ["details", listType(mapType(STRING, STRING))],
  ],
  remediation: REMEDIATION_NAMES,
} satisfies Readonly<Record<string, Names>>;

/** With those of what TypeScript computes. */
export function listTextNames(field: keyof typeof RISK_NAMES, computed: readonly string[]): Names {
  return [...RISK_NAMES[field], ...computed.map((name) => [name, STRING] as const)];
}

/** What its commands use besides. */
export const COMMAND_NAMES: Names = [
  ...UPDATE_NAMES,
  ["object", DYN],
  ["path", STRING],
  ["detail", mapType(STRING, STRING)],
];

const FACTS = objectType("cluster", {
  distribution: STRING,
  ...Object.fromEntries(Object.entries(CLUSTER_FACTS).map(([name, { type }]) => [name, type])),
});

type ReadDefinitions = Readonly<Record<string, ReadDefinition>>;

/** What rules use besides their variables. A read comes before another name that is the same. */
export function listRuleNames(reads: ReadDefinitions): Names {
  const keys = Object.keys(reads);
  const flags = objectType("reads", Object.fromEntries(keys.map((key) => [key, BOOL])));
  const general: Names = [
    ...UPDATE_NAMES,
    ["cluster", FACTS],
    ["now", TIMESTAMP],
    ["checks", listType(STRING)],
    ["served", flags],
    ["readable", flags],
  ];
  return [...general, ...keys.map((key) => [key, getReadType(reads[key] ?? {})] as const)];
}

/** `object`: the type of what is read. */
export function getReadType({ list, index = {} }: ReadDefinition, object: Type = DYN): Type {
  if (list === undefined) return optionalType(object);
  const objects = listType(object);
  const lookUp = mapType(STRING, objects);
  const by = objectType("look-ups", Object.fromEntries(Object.keys(index).map((name) => [name, lookUp])));
  return objectType("list", { served: BOOL, items: objects, byNamespace: lookUp, by });
}

export function declare(variables: Names, isSound = false, isShared?: true): Declarations {
  return { variables, functions: CHECK_FUNCTIONS, macros: CHECK_MACROS, mayMix: true, isSound, isShared };
}
