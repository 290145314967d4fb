import { type Json, type JsonObject, isList, isObject, listAt, textAt, parseJson } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";

export const OPERATOR_NETWORK: ObjectRef = { apiVersion: "operator.openshift.io/v1", kind: "Network", name: "cluster" };

/** Whether a network gets its addresses from Whereabouts. `unreadable`: its configuration is not valid JSON. */
export type Whereabouts = "yes" | "no" | "unreadable";

/** A network besides the cluster's own: an entry of the operator's additionalNetworks, or a NetworkAttachmentDefinition. */
export type Attachment = {
  readonly object: ObjectRef;
  /** The path of the network's declaration; absent for a NetworkAttachmentDefinition, which as a whole is one network. */
  readonly path?: string;
  /** The path of the configuration of its addresses. */
  readonly configPath: string;
  /** Namespace and name of the NetworkAttachmentDefinition. */
  readonly key: string;
  readonly whereabouts: Whereabouts;
};

/** The entries of spec.additionalNetworks of networks.operator.openshift.io/cluster. */
export function keepAdditionalNetworks(object: JsonObject): readonly Attachment[] {
  return listAt(object, "spec", "additionalNetworks").map((network, i) => ({
    object: OPERATOR_NETWORK,
    path: `spec.additionalNetworks[${i}]`,
    configPath: `spec.additionalNetworks[${i}].rawCNIConfig`,
    key: `${textAt(network, "namespace") ?? "default"}/${textAt(network, "name") ?? ""}`,
    whereabouts: parseWhereabouts(textAt(network, "rawCNIConfig")),
  }));
}

export function keepAttachment(object: JsonObject): Attachment {
  const ref = refOf(object);
  return {
    object: ref,
    configPath: "spec.config",
    key: `${ref.namespace ?? ""}/${ref.name}`,
    whereabouts: parseWhereabouts(textAt(object, "spec", "config")),
  };
}

/** Each network once: the network operator creates a NetworkAttachmentDefinition for every additional network. */
export function mergeNetworks(
  additional: readonly Attachment[],
  definitions: readonly Attachment[],
): readonly Attachment[] {
  const declared = new Set(additional.map(({ key }) => key));
  return [...additional, ...definitions.filter(({ key }) => !declared.has(key))];
}

/** A definition without a configuration uses the file of its name on the node, which the API doesn't show. */
function parseWhereabouts(config: string | undefined): Whereabouts {
  if (config === undefined || config.trim() === "") return "no";
  const parsed = parseJson(config);
  if (parsed === undefined) return "unreadable";
  return usesWhereabouts(parsed) ? "yes" : "no";
}

/** The address plugin may belong to the network or to a plugin inside it (a chain, a delegate). */
function usesWhereabouts(value: Json): boolean {
  if (isList(value)) return value.some(usesWhereabouts);
  if (!isObject(value)) return false;
  if (textAt(value, "ipam", "type") === "whereabouts") return true;
  return Object.values(value).some(usesWhereabouts);
}
