import { type CheckedOperator, isOwnable, toOperatorVersion, toPackage } from "./cluster-service-version.ts";
import type { CustomKind } from "./custom-kind.ts";
import { type JsonObject, textAt } from "./json.ts";

/** An operator, or anything else, that OLM v1 installed. */
export const EXTENSION_RESOURCE = "olm.operatorframework.io/v1/clusterextensions";

/** What names an extension, and the namespace in which it installs. */
export type Extension = Pick<CheckedOperator, "namespace" | "package" | "version"> & { readonly name: string };

/** Undefined for one that is about to be deleted. */
export function findExtension(object: JsonObject): Extension | undefined {
  if (textAt(object, "metadata", "deletionTimestamp") !== undefined) return undefined;
  const name = textAt(object, "metadata", "name") ?? "";
  return {
    name,
    namespace: textAt(object, "spec", "namespace") ?? "",
    package: toPackage(textAt(object, "spec", "source", "catalog", "packageName") ?? name),
    version: toOperatorVersion(textAt(object, "status", "install", "bundle", "version")),
  };
}

/**
 * An extension that brings checks; undefined for any other. OLM v1 keeps no ClusterServiceVersion, and whoever may edit the namespace can
 * edit all that it creates there: so its CRDs name the ConfigMaps.
 */
export function findCheckedExtension(
  { name, ...extension }: Extension,
  kinds: readonly CustomKind[],
): CheckedOperator | undefined {
  const own = kinds.filter((kind) => kind.extension === name);
  const annotations = new Set(own.flatMap(({ annotation }) => annotation ?? []));
  if (annotations.size === 0) return undefined;
  return {
    ...extension,
    annotated: `the CRDs of ClusterExtension ${name}`,
    annotation: [...annotations].toSorted().join(","),
    kinds: own.map((kind) => kind.name).filter(isOwnable),
  };
}
