import { type JsonObject, at, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { ANNOTATION } from "./annotation.ts";
import { defined } from "../../model/optional.ts";

export const CLOUD_CREDENTIAL: ObjectRef = {
  apiVersion: "operator.openshift.io/v1",
  kind: "CloudCredential",
  name: "cluster",
};

/** Who manages the credentials: an administrator, the operator, or "" if the legacy ConfigMap decides. */
export type CredentialsMode = "Manual" | "automatic" | "" | "unreadable";

export type CredentialsConfig = { readonly mode: CredentialsMode; readonly annotation?: string };

export function keepCredentialsConfig(object: JsonObject): CredentialsConfig {
  const annotation = textAt(object, "metadata", "annotations", ANNOTATION);
  return {
    mode: parseMode(at(object, "spec", "credentialsMode") ?? ""),
    ...defined({ annotation }),
  };
}

function parseMode(value: unknown): CredentialsMode {
  if (value === "" || value === "Manual") return value;
  return value === "Mint" || value === "Passthrough" ? "automatic" : "unreadable";
}

const TRUE_TEXTS = new Set(["1", "t", "T", "true", "TRUE", "True"]);

/** The ConfigMap is older than credentialsMode and still counts if no mode is set. */
export function keepLegacyDisabled(configMap: JsonObject): boolean {
  return TRUE_TEXTS.has(textAt(configMap, "data", "disabled") ?? "");
}
