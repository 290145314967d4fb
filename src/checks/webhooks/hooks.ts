import { type Json, type JsonObject, at, listAt, numberAt, textAt, textsAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { type Selector, selectorAt } from "./selectors.ts";

/** Whom the API server asks. A URL is never called by a check, and so never judged. */
export type Client =
  | { readonly kind: "service"; readonly service: string; readonly port: number }
  /** `isLocal`: on the API server's own host. */
  | { readonly kind: "url"; readonly isLocal: boolean };

/** A place where the API server can't go on without an answer. */
export type Caller = { readonly object: ObjectRef; readonly path: string; readonly client: Client };

/** What requests a webhook is asked about. */
export type Rule = {
  readonly operations: readonly string[];
  readonly groups: readonly string[];
  /** "pods", "pods/status", "pods/*", "*" (all but subresources), "*\/*". */
  readonly resources: readonly string[];
  readonly scope: string;
};

/** An admission webhook whose failure refuses the request. */
export type Hook = Caller & {
  readonly rules: readonly Rule[];
  readonly namespaces: Selector;
  readonly objects: Selector;
};

const HTTPS = 443;

/** The webhooks of a configuration that fail closed, which those without a failurePolicy do. */
export function keepHooks(kind: string): (object: JsonObject) => readonly Hook[] | undefined {
  return (object) => {
    const name = textAt(object, "metadata", "name") ?? "";
    const ref: ObjectRef = { apiVersion: "admissionregistration.k8s.io/v1", kind, name };
    const hooks = listAt(object, "webhooks").flatMap((hook, i) =>
      textAt(hook, "failurePolicy") === "Ignore" ? [] : [hookOf(hook, ref, `webhooks[${i}]`)],
    );
    return hooks.length > 0 ? hooks : undefined;
  };
}

function hookOf(hook: Json, object: ObjectRef, path: string): Hook {
  return {
    object,
    path,
    client: clientOf(at(hook, "clientConfig")),
    rules: listAt(hook, "rules").map((rule) => ({
      operations: textsAt(rule, "operations"),
      groups: textsAt(rule, "apiGroups"),
      resources: textsAt(rule, "resources"),
      scope: textAt(rule, "scope") ?? "*",
    })),
    namespaces: selectorAt(hook, "namespaceSelector"),
    objects: selectorAt(hook, "objectSelector"),
  };
}

/** A CustomResourceDefinition whose objects a webhook converts, if there are two versions to convert between. */
export function keepConversion(object: JsonObject): Caller | undefined {
  if (textAt(object, "spec", "conversion", "strategy") !== "Webhook") return undefined;
  const served = listAt(object, "spec", "versions").filter((version) => at(version, "served") === true);
  const versions = new Set([
    ...served.map((version) => textAt(version, "name")),
    ...textsAt(object, "status", "storedVersions"),
  ]);
  if (versions.size < 2) return undefined;
  return {
    object: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      name: textAt(object, "metadata", "name") ?? "",
    },
    path: "spec.conversion.webhook",
    client: clientOf(at(object, "spec", "conversion", "webhook", "clientConfig")),
  };
}

function clientOf(config: Json | undefined): Client {
  const [namespace, name] = [textAt(config, "service", "namespace"), textAt(config, "service", "name")];
  if (namespace === undefined || name === undefined)
    return {
      kind: "url",
      isLocal: /^https:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(textAt(config, "url") ?? ""),
    };
  return { kind: "service", service: `${namespace}/${name}`, port: numberAt(config, "service", "port") ?? HTTPS };
}
