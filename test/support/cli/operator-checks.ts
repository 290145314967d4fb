import { getDataDigest } from "../../../src/encoding/check-config-map.ts";
import type { JsonObject } from "../../../src/model/json.ts";

export const CSVS = "/apis/operators.coreos.com/v1alpha1/clusterserviceversions";

/** The ConfigMap with an operator's checks, as its bundle has it. */
export function buildChecksConfigMap(namespace: string, data: JsonObject): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: "shop-checks" }, data };
}

export type CsvOptions = {
  readonly namespace?: string;
  readonly package?: string;
  readonly annotation: string;
  readonly owned?: string;
  readonly status?: JsonObject;
};

/** The ClusterServiceVersion of version 1.2.3 of an operator, which owns one kind. */
export function buildCsv({
  namespace = "shop",
  package: name = "shop-operator",
  annotation,
  owned = "carts.shop.example.com",
  status = {},
}: CsvOptions): JsonObject {
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: {
      namespace,
      name: `${name}.v1.2.3`,
      labels: { [`operators.coreos.com/${name}.${namespace}`]: "" },
      annotations: { "preflight.openshift.io/checks": annotation },
    },
    spec: { version: "1.2.3", customresourcedefinitions: { owned: [{ name: owned, version: "v1", kind: "Cart" }] } },
    status: { phase: "Succeeded", ...status },
  };
}

/** The annotation that names a ConfigMap as it is. */
export function annotate(configMap: JsonObject): string {
  return `shop-checks@${getDataDigest(configMap)}`;
}
