import type { RiskText } from "../../model/check.ts";

export const failClosedWebhookWithoutBackend: RiskText = {
  name: "FailClosedWebhookWithoutBackend",
  title: "An admission webhook that must answer has nobody to answer",
  url: "https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/",
  describe: (objects, { target }) =>
    `Nothing answers for ${objects}, without whose answer the API server refuses what the update to ${target.text} writes: pods that leave drained nodes don't come back, or operators can't finish.`,
  remediation:
    "Bring the webhook's Service and pods back, set its failurePolicy to Ignore, or delete the configuration where its product is gone.",
};

export const conversionWebhookWithoutBackend: RiskText = {
  name: "ConversionWebhookWithoutBackend",
  title: "A conversion webhook has nobody to answer",
  url: "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/",
  describe: (objects, { target }) =>
    `Nothing answers for ${objects}, so objects of the kind can't be read in every version, on which garbage collection and the deletion of namespaces get stuck once the update to ${target.text} restarts their controllers.`,
  remediation:
    "Bring the conversion webhook's Service and pods back, or delete the CustomResourceDefinition where its product is gone.",
};
