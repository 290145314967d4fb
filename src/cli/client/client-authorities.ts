import type { ApiClient } from "../../cluster/writer/api-client.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { get } from "../../model/read.ts";
import { buildResourcePath } from "../../model/resource.ts";

/** Where every API server publishes the authorities of the client certificates that it accepts. */
export const CLIENT_AUTHORITIES = get(
  "v1/configmaps",
  "kube-system/extension-apiserver-authentication",
  selectClientAuthorities,
);

/** In PEM. */
export function selectClientAuthorities(configMap: JsonObject): string | undefined {
  return textAt(configMap, "data", "client-ca-file");
}

/** Undefined if they can't be read. */
export async function readClientAuthorities(api: ApiClient, signal: AbortSignal): Promise<string | undefined> {
  const { resource, namespace, name } = CLIENT_AUTHORITIES;
  const response = await api.read(buildResourcePath(resource, namespace, name), signal);
  return response.kind === "ok" ? selectClientAuthorities(response.object) : undefined;
}
