import { type JsonObject, objectAt, textAt } from "../../model/json.ts";
import { type Read, get, onlyOn } from "../../model/read.ts";
import type { Reader } from "../../model/reader.ts";
import { parseResource } from "../../model/resource.ts";
import type { HostAuthorities } from "../../release/image/image-options.ts";
import { egressReads, proxyRead } from "../client/cluster-egress.ts";
import { mirrorReads } from "./cluster-mirrors.ts";

const CONFIG_NAMESPACE = "openshift-config";
const CONFIG_MAPS = parseResource("v1/configmaps");
const imageConfigRead = get("config.openshift.io/v1/images", "cluster", (object) => object);

/**
 * What leads to release images, update services and signature stores. A runner in the cluster needs none of it: its release is a folder.
 */
export const sourceReads: readonly Read[] = [...mirrorReads, imageConfigRead, ...egressReads].map((read) =>
  onlyOn("openshift", read),
);

/**
 * The certificate authorities with which a cluster's nodes pull from its mirrors: those of single registries, and the bundle for all.
 * What can't be read is left out: the registry's certificate is then not trusted, which the error says.
 */
export async function readClusterAuthorities(reader: Reader, signal: AbortSignal): Promise<readonly HostAuthorities[]> {
  const find = async (location: Parameters<Reader["get"]>[0]): Promise<JsonObject | undefined> => {
    const result = await reader.get(location, signal);
    return result.kind === "found" ? result.object : undefined;
  };
  const findData = async (name: string | undefined): Promise<JsonObject> =>
    name ? objectAt(await find({ resource: CONFIG_MAPS, namespace: CONFIG_NAMESPACE, name }), "data") : {};
  const registries = await findData(textAt(await find(imageConfigRead), "spec", "additionalTrustedCA", "name"));
  const bundle = await findData(textAt(await find(proxyRead), "spec", "trustedCA", "name"));
  const pem = textAt(bundle, "ca-bundle.crt");
  return [
    ...Object.keys(registries).flatMap((key) => toAuthorities(parseHost(key), textAt(registries, key))),
    ...toAuthorities("", pem),
  ];
}

function toAuthorities(host: string, pem: string | undefined): readonly HostAuthorities[] {
  return pem ? [{ host, pem }] : [];
}

/** The keys of a ConfigMap have no colon: "registry.example.com..5000". */
function parseHost(key: string): string {
  return key.replace("..", ":");
}
