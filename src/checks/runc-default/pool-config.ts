import { type JsonObject, textAt } from "../../model/json.ts";
import type { GetResult } from "../../model/read.ts";
import type { Version } from "../../model/version.ts";

/** The major version of RHEL that a pool's nodes run, or are configured to run. */
export type RhelMajor = "rhel-10" | "earlier" | "unknown";

/** The fields of a MachineConfigPool that matter here. */
export type PoolConfig = { readonly name: string; readonly config: string; readonly stream: string };

export function keepPoolConfig(object: JsonObject): PoolConfig {
  return {
    name: textAt(object, "metadata", "name") ?? "",
    config: textAt(object, "spec", "configuration", "name") ?? "",
    stream: textAt(object, "spec", "osImageStream", "name") ?? "",
  };
}

/** The cluster's default stream: the administrator's choice, or else the operator's. */
export function keepDefaultStream(object: JsonObject): string {
  return textAt(object, "spec", "defaultStream") ?? textAt(object, "status", "defaultStream") ?? "";
}

/** The streams of RHEL 10, and of CentOS Stream 10 in OKD. */
const RHEL_10 = new Set(["rhel-10", "centos-10"]);

/** Without a stream, the release with which the cluster was installed decides: RHEL 9 for 4.y, RHEL 10 from 5.0 on. */
export function getRhelMajor(pool: PoolConfig, defaults: readonly GetResult<string>[], source: Version): RhelMajor {
  const names = [pool.stream, ...defaults.map((one) => (one.kind === "found" ? one.value : ""))];
  const stream = names.find((name) => name !== "");
  if (stream !== undefined) return RHEL_10.has(stream) ? "rhel-10" : "earlier";
  return source.major <= 4 ? "earlier" : "unknown";
}
