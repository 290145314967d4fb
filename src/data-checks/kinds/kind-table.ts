import table from "./built-in-kinds.json" with { type: "json" };
import { findOwn } from "../../model/json.ts";
import type { KindScope } from "./kind-scope.ts";

/** A kind of Kubernetes in one version; `type`: the name of its type. */
export type KindRow = {
  readonly apiVersion: string;
  readonly plural: string;
  readonly scope: KindScope;
  readonly type: string;
};

/** The minor of Kubernetes 1 that the table is of. */
export const TABLE_MINOR = table.minor;

export const TABLE_VERSIONS: readonly string[] = Object.keys(table.kinds);

/** The kinds of a version, such as "apps/v1". */
export function listKindRows(apiVersion: string): readonly KindRow[] {
  return parseKindRows(apiVersion, findOwn(table.kinds, apiVersion) ?? "");
}

/** "pods:V1Pod nodes/V1Node": a colon stands before the type of a kind that belongs to namespaces. */
export function parseKindRows(apiVersion: string, text: string): readonly KindRow[] {
  return [...text.matchAll(KIND)].map(([, plural = "", sign, type = ""]) => ({
    apiVersion,
    plural,
    scope: sign === ":" ? "Namespaced" : "Cluster",
    type,
  }));
}

const KIND = /([^ :/]+)([:/])(\S+)/g;

/** A field as the table has it: "replicas!:integer". */
export type FieldRow = { readonly name: string; readonly isRequired: boolean; readonly type: string };

export function listFieldRows(type: string): readonly FieldRow[] {
  return [...(findOwn(table.types, type) ?? "").matchAll(FIELD)].map(([, name = "", mark, inner = "string"]) => ({
    name,
    isRequired: mark === "!",
    type: inner,
  }));
}

const FIELD = /([^ !:]+)(!?)(?::(\S+))?/g;

/** "Pod" of "V1Pod", and "Event" of "CoreV1Event", which two groups have. */
export function removeVersion(type: string): string {
  return type.replace(VERSION, "");
}

const VERSION = /^(?:[A-Z][a-z]+)?V\d+(?:(?:alpha|beta)\d+)?(?=[A-Z])/;
