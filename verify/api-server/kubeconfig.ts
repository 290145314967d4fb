import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/model/json.ts";

export type KubeconfigParts = { readonly cluster: JsonObject; readonly user?: JsonObject };

/** A kubeconfig with one context of this name. */
export function buildKubeconfig({ cluster, user = { token: "t0" } }: KubeconfigParts, name = "here"): JsonObject {
  return {
    "current-context": name,
    contexts: [{ name, context: { cluster: `${name}-cluster`, user: `${name}-user` } }],
    clusters: [{ name: `${name}-cluster`, cluster }],
    users: [{ name: `${name}-user`, user }],
  };
}

/** A kubeconfig for a server, in a folder; its path. */
export function writeServerKubeconfig(folder: string, server: string): string {
  const path = join(folder, "config");
  writeFileSync(path, JSON.stringify(buildKubeconfig({ cluster: { server } })));
  return path;
}
