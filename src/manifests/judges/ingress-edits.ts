import { type Json, type JsonObject, at, isObject, listAt, textAt } from "../../model/json.ts";
import type { ManifestEdit, ManifestPath } from "../../model/manifest.ts";

/** What makes an Ingress of v1beta1 one of v1; undefined if a backend has another form than v1beta1 gave it. */
export function listIngressEdits(object: JsonObject): readonly ManifestEdit[] | undefined {
  const edits: ManifestEdit[] = [];
  const backend = at(object, "spec", "backend");
  if (backend !== undefined) {
    const value = convertBackend(backend);
    if (value === undefined) return undefined;
    edits.push({ kind: "set", path: ["spec", "backend"], value });
    edits.push({ kind: "rename", path: ["spec", "backend"], to: "defaultBackend" });
  }
  for (const [i, rule] of listAt(object, "spec", "rules").entries())
    for (const [j, route] of listAt(rule, "http", "paths").entries()) {
      const own = listPathEdits(route, ["spec", "rules", i, "http", "paths", j]);
      if (own === undefined) return undefined;
      edits.push(...own);
    }
  return edits;
}

/** Without a pathType, v1beta1 means ImplementationSpecific; it means a path without a text to be "/". */
function listPathEdits(route: Json, path: ManifestPath): readonly ManifestEdit[] | undefined {
  const value = convertBackend(at(route, "backend"));
  if (value === undefined) return undefined;
  const hasType = textAt(route, "pathType") !== undefined;
  return [
    ...(hasType ? [] : [{ kind: "set", path: [...path, "pathType"], value: "ImplementationSpecific" } as const]),
    { kind: "set", path: [...path, "backend"], value },
  ];
}

function convertBackend(backend: Json | undefined): Json | undefined {
  if (!isObject(backend)) return undefined;
  const { serviceName, servicePort, ...others } = backend;
  if (serviceName === undefined && servicePort === undefined) return backend;
  if (typeof serviceName !== "string" || Object.keys(others).length > 0) return undefined;
  if (typeof servicePort === "number") return { service: { name: serviceName, port: { number: servicePort } } };
  return typeof servicePort === "string" ? { service: { name: serviceName, port: { name: servicePort } } } : undefined;
}
