import type { RiskText } from "../../model/check.ts";

export const aggregatedApiUnavailable: RiskText = {
  name: "AggregatedApiUnavailable",
  title: "An aggregated API is not available",
  url: "https://kubernetes.io/docs/concepts/extend-kubernetes/api-extension/apiserver-aggregation/",
  describe: (objects, { target }) =>
    `The API server can't reach the server behind ${objects}: as long as the kinds of an API can't be discovered, no namespace can be deleted and what uses these kinds fails, which can hold up the update to ${target.text}.`,
  remediation: "Bring the Service and its pods back, or delete the APIService where its product is gone.",
};
