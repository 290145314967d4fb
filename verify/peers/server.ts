import { type JsonObject, objectsAt, textAt } from "../../src/model/json.ts";
import { buildResourcePath, formatGroupVersion } from "../../src/model/resource.ts";
import type { AdminApi } from "../api-server/admin-api.ts";
import type { Fate } from "./data.ts";
import type { MadeObject } from "./make-objects.ts";
import { formatObject } from "./write-files.ts";

/** What an API server does with an object that is created, and why; nothing of it stays. */
export type ServerAnswer = { readonly fate: Fate; readonly reason: string };

type ServedKind = { readonly path: (namespace: string) => string };

/** By "apiVersion kind". */
export type ServedKinds = ReadonlyMap<string, ServedKind>;

export async function readKinds(api: AdminApi): Promise<ServedKinds> {
  const groups = await Promise.all([api.discover("/api"), api.discover("/apis")]);
  return new Map(
    groups.flatMap(({ body }) =>
      objectsAt(body, "items").flatMap((item) => {
        const group = textAt(item, "metadata", "name") ?? "";
        return objectsAt(item, "versions").flatMap((one) => listKinds(group, one));
      }),
    ),
  );
}

function listKinds(group: string, one: JsonObject): readonly (readonly [string, ServedKind])[] {
  const version = textAt(one, "version") ?? "";
  const groupVersion = formatGroupVersion({ group, version });
  return objectsAt(one, "resources").map((resource) => {
    const name = { group, version, resource: textAt(resource, "resource") ?? "" };
    const isNamespaced = resource["scope"] === "Namespaced";
    const path = (namespace: string): string => buildResourcePath(name, isNamespaced ? namespace : undefined);
    return [`${groupVersion} ${textAt(resource, "responseKind", "kind") ?? ""}`, { path }];
  });
}

const YAML = "application/yaml";

/** As `kubectl create --dry-run=server` with strict validation; what it says of deprecation comes as a warning. */
export async function askServer(
  api: AdminApi,
  kinds: ServedKinds,
  made: Pick<MadeObject, "object" | "repeat">,
): Promise<ServerAnswer> {
  const { object } = made;
  const kind = kinds.get(`${textAt(object, "apiVersion") ?? ""} ${textAt(object, "kind") ?? ""}`);
  if (kind === undefined) return { fate: "refused", reason: "no such kind is served" };
  const path = `${kind.path(textAt(object, "metadata", "namespace") ?? "default")}?dryRun=All&fieldValidation=Strict`;
  const { code, body, warnings } = await api.call("POST", path, formatObject(made), YAML);
  if (code >= 400) return { fate: "refused", reason: `${code} ${textAt(body, "message") ?? ""}` };
  if (code !== 201) throw new Error(`${path}: ${code}`);
  const warning = warnings.find((text) => text.includes("deprecated"));
  return warning === undefined ? { fate: "accepted", reason: "" } : { fate: "deprecated", reason: warning };
}
