import { createHash } from "node:crypto";
import { join } from "node:path";
import { formatCanonicalJson, type JsonObject, objectAt, parseObject, textAt } from "../../../model/json.ts";
import { defined } from "../../../model/optional.ts";
import { parseTimestamp } from "../../../model/time.ts";
import type { FleetValues } from "./definition.ts";
import { VERSION } from "../../io/program.ts";
import type { ReachableCluster } from "../../process/messages.ts";

/** What a result says besides the document: which cluster it is about, and what was asked. */
export type ResultOrigin = { readonly cluster: string; readonly request: JsonObject };

const MAX_LENGTH = 150;

/** The file of a cluster's result. Names of contexts may hold any character, and be longer than names of files. */
export function getResultPath(folder: string, name: string): string {
  const safe = encodeURIComponent(name).replaceAll("*", "%2A").replace(/^\./, "%2E");
  if (safe.length <= MAX_LENGTH) return join(folder, `${safe}.json`);
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return join(folder, `${safe.slice(0, MAX_LENGTH)}-${digest}.json`);
}

/** What decides the content of a result: one of another request is not used. */
export function buildResultOrigin({ name, kubeconfig, context }: ReachableCluster, values: FleetValues): ResultOrigin {
  const { to, target, crds, graph, only, skip, lifted } = values;
  const request = defined({
    preflight: VERSION,
    kubeconfig,
    context,
    to,
    target,
    "target-version": values["target-version"],
    "to-image": values["to-image"],
    "signature-store": values["signature-store"],
    crds,
    graph,
    only,
    skip,
    lifted,
    "unknown-risks": values["unknown-risks"],
  });
  return { cluster: name, request };
}

/** Whether a result answers this request and is young enough. A cluster that could not be checked is tried again. */
export function isReusable(text: string, origin: ResultOrigin, maxAge: number, now: Date): boolean {
  const value = parseObject(text);
  if (textAt(value, "executionStatus") !== "completed") return false;
  if (formatCanonicalJson(objectAt(value, "fleet", "request")) !== formatCanonicalJson(origin.request)) return false;
  const observed = parseTimestamp(textAt(value, "observedAt"));
  return observed !== undefined && now.getTime() - observed <= maxAge && maxAge > 0;
}
