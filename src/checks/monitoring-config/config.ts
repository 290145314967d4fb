import { FAILSAFE_SCHEMA, YAMLException, load, mergeTag } from "js-yaml";
import { type Json, type JsonObject, isList, isObject, listAt, textAt } from "../../model/json.ts";
import { CLUSTER, type Known, USER_WORKLOAD } from "./known-keys.ts";

/** Every scalar as its text: only keys and a few words matter here. */
const SCHEMA = FAILSAFE_SCHEMA.withTags(mergeTag);
const MOST_ALIASES = 100;
const REPEATED = "duplicated mapping key";
const YES = /^(?:y|yes|true|on)$/i;

/** A key that isn't known, or known in another case only. */
export type OddKey = { readonly path: string; readonly kind: "unknown" | "case" };

/** What matters of a config.yaml. */
export type Settings = {
  readonly kind: "settings";
  /** The line that holds a key which its map has already. */
  readonly repeatedAt: number | undefined;
  readonly oddKeys: readonly OddKey[];
  readonly alertmanagersV1: readonly string[];
  readonly adapter: boolean;
  readonly userWorkload: boolean;
};

export type Config = Settings | { readonly kind: "none" } | { readonly kind: "unparsable" };

export function keepCluster(object: JsonObject): Config {
  return configOf(object, CLUSTER);
}

export function keepUserWorkload(object: JsonObject): Config {
  return configOf(object, USER_WORKLOAD);
}

/** An empty text means the defaults; so does a missing key to the operator's user workload part. */
function configOf(object: JsonObject, known: Known): Config {
  const text = textAt(object, "data", "config.yaml") ?? "";
  const parsed = text.trim() === "" ? { kind: "none" as const } : parse(text);
  if (parsed.kind !== "parsed") return parsed;
  const { value, repeatedAt } = parsed;
  return {
    kind: "settings",
    repeatedAt,
    oddKeys: oddKeys(value, known, ""),
    alertmanagersV1: ["prometheusK8s", "prometheus", "thanosRuler"].flatMap((component) => v1Paths(value, component)),
    adapter: isObject(value) && Object.hasOwn(value, "k8sPrometheusAdapter"),
    userWorkload: YES.test(textAt(value, "enableUserWorkload") ?? ""),
  };
}

type Parsed =
  | { readonly kind: "parsed"; readonly value: Json; readonly repeatedAt: number | undefined }
  | { readonly kind: "unparsable" };

function parse(text: string): Parsed {
  try {
    return { kind: "parsed", value: valueOf(text, false), repeatedAt: undefined };
  } catch (thrown) {
    const repeated = thrown instanceof YAMLException && thrown.reason === REPEATED;
    return repeated ? parseRepeated(text, (thrown.mark?.line ?? 0) + 1) : { kind: "unparsable" };
  }
}

/** What is wrong besides the repeated key is told as well. */
function parseRepeated(text: string, repeatedAt: number): Parsed {
  try {
    return { kind: "parsed", value: valueOf(text, true), repeatedAt };
  } catch {
    return { kind: "unparsable" };
  }
}

function valueOf(text: string, json: boolean): Json {
  const value: unknown = load(text, { schema: SCHEMA, json, maxAliases: MOST_ALIASES });
  if (isObject(value) || isList(value) || typeof value === "string") return value;
  return null;
}

function oddKeys(value: Json | undefined, known: Known, path: string): readonly OddKey[] {
  if (known.kind === "any") return [];
  if (known.kind === "list") {
    return isList(value) ? value.flatMap((item, i) => oddKeys(item, known.items, `${path}[${i}]`)) : [];
  }
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => {
    const here = path === "" ? key : `${path}.${key}`;
    const exact = known.keys.get(key);
    if (exact) return oddKeys(value[key], exact, here);
    const alike = [...known.keys].find(([name]) => name.toLowerCase() === key.toLowerCase());
    if (!alike) return [{ path: here, kind: "unknown" as const }];
    return [{ path: here, kind: "case" as const }, ...oddKeys(value[key], alike[1], here)];
  });
}

function v1Paths(value: Json, component: string): readonly string[] {
  const list = "additionalAlertmanagerConfigs";
  return listAt(value, component, list).flatMap((item, i) =>
    textAt(item, "apiVersion") === "v1" ? [`${component}.${list}[${i}].apiVersion`] : [],
  );
}
