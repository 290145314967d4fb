import { type Json, type JsonObject, at, listAt, numberAt, textAt, textsAt } from "../../model/json.ts";
import { type ObjectRef, type Resource, refOf, formatGroupResource } from "../../model/resource.ts";
import { type Selector, parseSelector } from "../../model/object.ts";
import { type Each, eachMetadata, type ListResult } from "../../model/read.ts";
import type { ReadFailure } from "../../model/reader.ts";
import type { Release } from "../../model/release.ts";
import type { Reach } from "./reach.ts";

/** The backend that the API server calls. A check never calls a URL, so it can't judge one. */
export type WebhookClient =
  | { readonly kind: "service"; readonly service: string; readonly port: number }
  /** `isLocal`: on the API server's own host. */
  | { readonly kind: "url"; readonly isLocal: boolean };

/** A webhook without whose answer the API server refuses the request. */
export type Webhook = { readonly object: ObjectRef; readonly path: string; readonly client: WebhookClient };

/** The requests that call a webhook. */
export type WebhookRule = {
  readonly operations: readonly string[];
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  /** "pods", "pods/status", "pods/*", "*" (all but subresources), "*\/*". */
  readonly resources: readonly string[];
  readonly scope: string;
};

/** An admission webhook whose failure refuses the request. */
export type AdmissionWebhook = Webhook & {
  readonly rules: readonly WebhookRule[];
  readonly namespaces: Selector;
  readonly objects: Selector;
};

const HTTPS_PORT = 443;

/** The webhooks of a configuration that fail closed, which those without a failurePolicy do. */
export function keepAdmissionWebhooks(object: JsonObject): readonly AdmissionWebhook[] | undefined {
  const hooks = listAt(object, "webhooks").flatMap((hook, i) =>
    textAt(hook, "failurePolicy") === "Ignore" ? [] : [parseWebhook(hook, refOf(object), `webhooks[${i}]`)],
  );
  return hooks.length > 0 ? hooks : undefined;
}

function parseWebhook(hook: Json, object: ObjectRef, path: string): AdmissionWebhook {
  return {
    object,
    path,
    client: parseClient(at(hook, "clientConfig")),
    rules: listAt(hook, "rules").map((rule) => ({
      operations: textsAt(rule, "operations"),
      groups: textsAt(rule, "apiGroups"),
      versions: textsAt(rule, "apiVersions"),
      resources: textsAt(rule, "resources"),
      scope: textAt(rule, "scope") ?? "*",
    })),
    namespaces: parseSelector(hook, "namespaceSelector"),
    objects: parseSelector(hook, "objectSelector"),
  };
}

/** `resource`: the objects, in the version in which they are stored, which needs no conversion. */
type ConversionWebhook = Webhook & { readonly resource: Resource };

/** A CustomResourceDefinition whose objects a webhook converts, if there are two versions to convert between. */
export function keepConversionWebhook(object: JsonObject): ConversionWebhook | undefined {
  if (textAt(object, "spec", "conversion", "strategy") !== "Webhook") return undefined;
  const served = listAt(object, "spec", "versions").filter((version) => at(version, "served") === true);
  const versions = new Set([
    ...served.map((version) => textAt(version, "name")),
    ...textsAt(object, "status", "storedVersions"),
  ]);
  if (versions.size < 2) return undefined;
  return {
    object: refOf(object),
    path: "spec.conversion.webhook",
    client: parseClient(at(object, "spec", "conversion", "webhook", "clientConfig")),
    resource: parseStoredResource(object),
  };
}

function parseStoredResource(object: JsonObject): Resource {
  const stored = listAt(object, "spec", "versions").find((version) => at(version, "storage") === true);
  return {
    group: textAt(object, "spec", "group") ?? "",
    version: textAt(stored, "name") ?? "",
    resource: textAt(object, "spec", "names", "plural") ?? "",
  };
}

function parseClient(config: Json | undefined): WebhookClient {
  const namespace = textAt(config, "service", "namespace");
  const name = textAt(config, "service", "name");
  if (namespace === undefined || name === undefined)
    return {
      kind: "url",
      isLocal: /^https:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(textAt(config, "url") ?? ""),
    };
  return { kind: "service", service: `${namespace}/${name}`, port: numberAt(config, "service", "port") ?? HTTPS_PORT };
}

type ObjectReads = Readonly<Record<string, Each<true>>>;

/** The groups of the kinds with a conversion webhook in OpenShift payloads of 4.12 to 5.2, for the shipped ClusterRole. */
export const CONVERTED_GROUPS: readonly string[] = ["console.openshift.io"];

/** Those that the target ships: who may list them is known before anything is read. */
export function selectConvertedKinds({ crds }: Release): readonly Resource[] {
  return crds
    .filter(({ conversion, versions }) => conversion.strategy === "Webhook" && versions.length > 1)
    .flatMap(({ group, plural, versions }) =>
      versions.filter(({ storage }) => storage).map(({ name }) => ({ group, version: name, resource: plural })),
    );
}

/** The objects of the kinds that these webhooks convert, by the name of the definition: only whether there are any. */
export function buildObjectReads(webhooks: readonly ConversionWebhook[], release: Release): ObjectReads {
  const granted = new Set(selectConvertedKinds(release).map(formatGroupResource));
  return Object.fromEntries(
    webhooks.map(({ object, resource }) => {
      const isGranted = granted.has(formatGroupResource(resource)) || CONVERTED_GROUPS.includes(resource.group);
      const read = { ...eachMetadata(resource, (): true => true), keepFailure: keepFailedConversion };
      return [object.name, isGranted ? read : { ...read, isUngranted: true as const }] as const;
    }),
  );
}

/** An object that is stored in another version is read through the webhook, so the API server can't list its kind. */
function keepFailedConversion({ reason, message }: ReadFailure): true | undefined {
  // Source: webhook_converter.go, k8s.io/apiextensions-apiserver.
  return reason === "ServerError" && message.includes("conversion webhook for ") ? true : undefined;
}

/** A kind that could not be listed may have objects, or none: the runner reports that. */
export function judgeConversion(list: ListResult<true> | undefined): Reach {
  if (list === undefined) return "unknown";
  return list.kind === "found" && list.values.length === 0 ? "empty" : "writes";
}
