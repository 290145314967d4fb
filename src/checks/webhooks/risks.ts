import type { Context, Finding } from "../../model/check.ts";
import type { Platform } from "../../model/target-version.ts";
import { buildPatchCommand, buildObjectCommand, buildPrefix, quoteArgument } from "../../model/commands.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("webhooks", {
  FailClosedWebhookWithoutBackend: {
    see: buildBackendCommands,
    fixKind: ({ detail }) => (detail?.["lacks"] === "namespace" ? "weakening" : "safe"),
    fix: buildFixes,
  },
  ConversionWebhookWithoutBackend: { see: buildBackendCommands },
});

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
  return [buildPatchCommand(platform, object, [operation])];
}
