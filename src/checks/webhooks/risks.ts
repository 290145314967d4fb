import type { RiskText } from "../../model/check.ts";
import { buildJsonPatchCommand } from "../../model/commands.ts";

export const failClosedWebhookWithoutBackend: RiskText = {
  name: "FailClosedWebhookWithoutBackend",
  effect: "stuck",
  title: "An admission webhook that must answer has no backend",
  url: "https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/",
  describe: (objects, { target }) =>
    `No backend answers for ${objects}, so the API server refuses requests of the update to ${target.text}: pods from drained nodes don't come back, or operators can't finish.`,
  remediation:
    "Restore the webhook's Service and pods until \"kubectl get endpointslices -n NAMESPACE\" shows them, set its failurePolicy to Ignore (requests that it can't answer then pass without it), or delete the configuration if its product was removed.",
  example: {
    object: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      name: "<name>",
    },
    path: "webhooks[0]",
  },
  fix: ({ object, path = "" }, { platform }) => {
    const index = /^webhooks\[(\d+)\]$/.exec(path)?.[1];
    if (index === undefined) return [];
    const operation = { op: "add", path: `/webhooks/${index}/failurePolicy`, value: "Ignore" };
    return [buildJsonPatchCommand(platform, object, [operation])];
  },
};

export const conversionWebhookWithoutBackend: RiskText = {
  name: "ConversionWebhookWithoutBackend",
  effect: "stuck",
  title: "A conversion webhook has no backend",
  url: "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/",
  describe: (objects, { target }) =>
    `No backend answers for ${objects}, so objects of the kind, if any exist, can't be read in every version. Garbage collection and the deletion of namespaces get stuck on them once the update to ${target.text} restarts their controllers.`,
  remediation:
    'Restore the conversion webhook\'s Service and pods until "kubectl get endpointslices -n NAMESPACE" shows them, or delete the CustomResourceDefinition if its product was removed ("kubectl delete customresourcedefinition NAME", which deletes its objects too).',
};
