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

/**
 * A field as the table has it: "replicas!:int32", "ordinals@26:V1StatefulSetOrdinals". `since` and `until`: the first and the last minor of
 * Kubernetes 1 that know it.
 */
export type FieldRow = {
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether an API server refuses an object without it, or with an empty one, which doesn't follow from the schema. */
  readonly isEnforced: boolean;
  readonly type: string;
  readonly since?: number;
  readonly until?: number;
};

export function listFieldRows(type: string): readonly FieldRow[] {
  return [...(findOwn(table.types, type) ?? "").matchAll(FIELD)].map(
    ([, name = "", since, until, mark = "", inner = "string"]) => ({
      name,
      isRequired: mark.length % 2 === 1,
      isEnforced: mark.length > 1,
      type: inner,
      ...(since === undefined ? {} : { since: Number(since) }),
      ...(until === undefined ? {} : { until: Number(until) }),
    }),
  );
}

const FIELD = /([^ !:@]+)(?:@(\d+)(?:-(\d+))?)?(!*)(?::(\S+))?/g;

/** "Pod" of "V1Pod", and "Event" of "CoreV1Event", which two groups have. */
export function removeVersion(type: string): string {
  return type.replace(VERSION, "");
}

const VERSION = /^(?:[A-Z][a-z]+)?V\d+(?:(?:alpha|beta)\d+)?(?=[A-Z])/;
