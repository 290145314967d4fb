import type { RiskText } from "../../model/check.ts";
import { buildObjectCommand } from "../../model/commands.ts";

export const aggregatedApiUnavailable: RiskText = {
  name: "AggregatedApiUnavailable",
  effect: "stuck",
  title: "An aggregated API is unavailable",
  url: "https://kubernetes.io/docs/concepts/extend-kubernetes/api-extension/apiserver-aggregation/",
  describe: (objects, { target }) =>
    `The API server can't reach the server behind ${objects}. Meanwhile no namespace can be deleted and clients of these kinds fail, which can stall the update to ${target.text}.`,
  remediation:
    'Restore the Service and the pods that "kubectl describe apiservice NAME" names. Delete the APIService if its product was uninstalled: its kinds are then no longer served. "kubectl get apiservices" then shows True for every API.',
  see: ({ object }, { platform }) => [buildObjectCommand(platform, "describe", object)],
  example: {
    object: { apiVersion: "apiregistration.k8s.io/v1", kind: "APIService", name: "<name>" },
    detail: { reason: "ServiceNotFound" },
  },
  fix: ({ object, detail }, { platform }) =>
    detail?.["reason"] === "ServiceNotFound" ? [buildObjectCommand(platform, "delete", object)] : [],
};
