import { parseTexts } from "../../encoding/yaml.ts";
import { type Json, type JsonObject, isList, isObject, listAt, textAt } from "../../model/json.ts";
import { CLUSTER, type KnownKeys, USER_WORKLOAD } from "./known-keys.ts";

const YES = /^(?:y|yes|true|on)$/i;

/** A key that the operator doesn't know, or knows only with other capitalization. */
export type OddKey = { readonly path: string; readonly kind: "unknown" | "case" };

/** The parts of a config.yaml that matter here. */
export type MonitoringSettings = {
  readonly kind: "settings";
  /** The line of the first key that repeats another key of its map. */
  readonly repeatedAt: number | undefined;
  readonly oddKeys: readonly OddKey[];
  readonly alertmanagersV1: readonly string[];
  readonly hasAdapter: boolean;
  readonly isUserWorkloadEnabled: boolean;
};

export type MonitoringConfig = MonitoringSettings | { readonly kind: "none" } | { readonly kind: "unparsable" };

export function keepClusterConfig(object: JsonObject): MonitoringConfig {
  return parseConfig(object, CLUSTER);
}

export function keepUserWorkloadConfig(object: JsonObject): MonitoringConfig {
  return parseConfig(object, USER_WORKLOAD);
}

/** Without config.yaml, or with an empty one, the operator uses its defaults. */
function parseConfig(object: JsonObject, knownKeys: KnownKeys): MonitoringConfig {
  const text = textAt(object, "data", "config.yaml") ?? "";
  if (text.trim() === "") return { kind: "none" };
  const parsed = parseTexts(text);
  if (parsed.kind === "invalid") return { kind: "unparsable" };
  const { value, repeatedAt } = parsed;
  return {
    kind: "settings",
    repeatedAt,
    oddKeys: findOddKeys(value, knownKeys, ""),
    alertmanagersV1: ["prometheusK8s", "prometheus", "thanosRuler"].flatMap((component) =>
      findV1Paths(value, component),
    ),
    hasAdapter: isObject(value) && Object.hasOwn(value, "k8sPrometheusAdapter"),
    isUserWorkloadEnabled: YES.test(textAt(value, "enableUserWorkload") ?? ""),
  };
}

function findOddKeys(value: Json | undefined, knownKeys: KnownKeys, path: string): readonly OddKey[] {
  if (knownKeys.kind === "any") return [];
  if (knownKeys.kind === "list") {
    return isList(value) ? value.flatMap((item, i) => findOddKeys(item, knownKeys.items, `${path}[${i}]`)) : [];
  }
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => {
    const here = path === "" ? key : `${path}.${key}`;
    const exact = knownKeys.keys.get(key);
    if (exact) return findOddKeys(value[key], exact, here);
    const alike = [...knownKeys.keys].find(([name]) => name.toLowerCase() === key.toLowerCase());
    if (!alike) return [{ path: here, kind: "unknown" as const }];
    return [{ path: here, kind: "case" as const }, ...findOddKeys(value[key], alike[1], here)];
  });
}

function findV1Paths(value: Json, component: string): readonly string[] {
  const list = "additionalAlertmanagerConfigs";
  return listAt(value, component, list).flatMap((item, i) =>
    textAt(item, "apiVersion") === "v1" ? [`${component}.${list}[${i}].apiVersion`] : [],
  );
}
