import { type JsonObject, at, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { ANNOTATION } from "./annotation.ts";

export const CLOUD_CREDENTIAL: ObjectRef = {
  apiVersion: "operator.openshift.io/v1",
  kind: "CloudCredential",
  name: "cluster",
};

/** Who sees to the credentials: an administrator, the operator, or "" where the legacy ConfigMap may say. */
export type Mode = "Manual" | "automatic" | "" | "unreadable";

export type Config = { readonly mode: Mode; readonly annotation?: string };

export function keepConfig(object: JsonObject): Config {
  const annotation = textAt(object, "metadata", "annotations", ANNOTATION);
  return {
    mode: modeOf(at(object, "spec", "credentialsMode") ?? ""),
    ...(annotation === undefined ? {} : { annotation }),
  };
}

function modeOf(value: unknown): Mode {
  if (value === "" || value === "Manual") return value;
  return value === "Mint" || value === "Passthrough" ? "automatic" : "unreadable";
}

const TRUE = new Set(["1", "t", "T", "true", "TRUE", "True"]);

/** Before credentialsMode there was a ConfigMap, which still counts where no mode is set. */
export function keepDisabled(configMap: JsonObject): boolean {
  return TRUE.has(textAt(configMap, "data", "disabled") ?? "");
}
