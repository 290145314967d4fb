import { type Each, eachMetadata, type ListResult } from "../../model/read.ts";
import type { ReadFailure } from "../../model/reader.ts";
import type { Release } from "../../model/release.ts";
import { formatGroupResource, type Resource } from "../../model/resource.ts";
import type { Reach } from "./reach.ts";
import type { ConversionWebhook } from "./webhooks.ts";

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
