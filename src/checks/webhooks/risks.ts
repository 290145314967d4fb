import type { Context, Finding, RiskText } from "../../model/check.ts";
import { buildJsonPatchCommand, buildObjectCommand, buildPrefix, quoteArgument } from "../../model/commands.ts";
import type { ObjectRef } from "../../model/resource.ts";
import type { Platform } from "../../model/target-version.ts";

export const failClosedWebhookWithoutBackend: RiskText = {
  name: "FailClosedWebhookWithoutBackend",
  effect: "stuck",
  title: "An admission webhook that must answer has no backend",
  url: "https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/",
  describe: (objects, { target }) =>
    `No backend answers for ${objects}, so the API server refuses requests of the update to ${target.text}: pods from drained nodes don't come back, or operators can't finish.`,
  remediation:
    "Restore the webhook's Service and pods first (\"kubectl -n NAMESPACE get endpointslices,deployments,pods\" shows them), or delete the configuration if its product was removed. With failurePolicy Ignore the update proceeds too, but objects are then written without the webhook's checks and changes until it answers again.",
  example: {
    object: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      name: "<name>",
    },
    path: "webhooks[0]",
    detail: { service: "<namespace>/<service>", lacks: "pods" },
  },
  see: buildBackendCommands,
  fixKind: ({ detail }) => (detail?.["lacks"] === "namespace" ? "weakening" : "safe"),
  fix: buildFixes,
};

export const conversionWebhookWithoutBackend: RiskText = {
  name: "ConversionWebhookWithoutBackend",
  effect: "stuck",
  title: "A conversion webhook has no backend",
  url: "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/",
  describe: (objects, { target }) =>
    `No backend answers for ${objects}, so objects of the kind, if any exist, can't be read in every version. Garbage collection and the deletion of namespaces get stuck on them once the update to ${target.text} restarts their controllers.`,
  remediation:
    'Restore the conversion webhook\'s Service and pods ("kubectl get endpointslices -n NAMESPACE" shows them). If its product was removed, delete the CustomResourceDefinition and so its objects ("kubectl delete customresourcedefinition NAME").',
  see: buildBackendCommands,
};

/** What is behind the Service, and the configuration that names it. */
function buildBackendCommands({ object, detail }: Finding, { platform }: Context): readonly string[] {
  const [namespace, service = ""] = (detail?.["service"] ?? "").split("/");
  const prefix = buildPrefix(platform, namespace);
  return [
    `${prefix} get endpointslices -l ${quoteArgument(`kubernetes.io/service-name=${service}`)}`,
    `${prefix} get deployments,pods`,
    buildObjectCommand(platform, "get", object),
  ];
}

/** A product that may still be installed gets its backend back: to ignore its webhook would let through what it guards against. */
function buildFixes({ object, path = "", detail }: Finding, { platform }: Context): readonly string[] {
  const [namespace, service = ""] = (detail?.["service"] ?? "").split("/");
  const prefix = buildPrefix(platform, namespace);
  switch (detail?.["lacks"] ?? "") {
    case "namespace":
      return buildIgnore(object, path, platform);
    case "service":
      return [
        `${prefix} expose deployment/<deployment> --name=${quoteArgument(service)} --port=<port> --target-port=<container-port>`,
      ];
    case "port":
      return [`${prefix} edit service/${quoteArgument(service)}`];
    case "pods":
      return [`${prefix} scale deployment/<deployment> --replicas=<replicas>`];
    default:
      return [];
  }
}

/** The last resort, where nothing is left that could answer. */
function buildIgnore(object: ObjectRef, path: string, platform: Platform): readonly string[] {
  const index = /^webhooks\[(\d+)\]$/.exec(path)?.[1];
  if (index === undefined) return [];
  const operation = { op: "add", path: `/webhooks/${index}/failurePolicy`, value: "Ignore" };
  return [buildJsonPatchCommand(platform, object, [operation])];
}
