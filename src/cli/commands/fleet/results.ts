import { createHash } from "node:crypto";
import { join } from "node:path";
import type { JsonObject } from "../../../model/json.ts";
import { formatCanonicalJson, objectAt, parseObject, textAt } from "../../../model/json.ts";
import { isInFuture } from "../../../model/document.ts";
import { getAge } from "../../../model/time.ts";
import type { LoadedFleetValues } from "./definition.ts";
import { VERSION } from "../../../model/program-version.ts";
import type { ReachableCluster } from "../../process/messages.ts";
import { readTextFile } from "../../../files/named-file.ts";
import type { FleetCluster, FleetContext } from "../../../format/fleet/cluster.ts";
import { buildInvalid, parseClusterResult } from "../../../format/fleet/cluster.ts";
import type { Acceptance } from "../../../model/unseen.ts";
import { type Check, getUnknownRiskName } from "../../../model/check.ts";
import { errorCode, formatError } from "../../../model/errors.ts";

/** What a result says besides the document: which cluster it is about, and what was asked. */
type ResultOrigin = { readonly cluster: string; readonly request: JsonObject };

const MAX_LENGTH = 150;

/** The file of a cluster's result. Names of contexts may hold any character, and be longer than names of files. */
export function getResultPath(folder: string, name: string): string {
  const safe = encodeURIComponent(name).replaceAll("*", "%2A").replace(/^\./, "%2E");
  if (safe.length <= MAX_LENGTH) return join(folder, `${safe}.json`);
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return join(folder, `${safe.slice(0, MAX_LENGTH)}-${digest}.json`);
}

/** What decides the content of a result: one of another request is not used. */
export function buildResultOrigin({ name, ...place }: ReachableCluster, values: LoadedFleetValues): ResultOrigin {
  const { to, target, crds, graph, promql, only, skip, lifted, checkSet } = values;
  const request = {
    preflight: VERSION,
    ...place,
    to,
    target,
    "target-version": values["target-version"],
    "to-image": values["to-image"],
    "signature-store": values["signature-store"],
    crds,
    graph,
    promql,
    only,
    skip,
    checks: checkSet.digest,
    "checks-from": values["checks-from"],
    grants: values.config?.checks,
    lifted,
    "unknown-risks": values["unknown-risks"],
  };
  // As a result has it: without what was not asked for.
  return { cluster: name, request: parseObject(JSON.stringify(request)) ?? {} };
}

/** Whether a result answers this request and is young enough. A cluster that could not be checked is tried again. */
export function isReusable(text: string, origin: ResultOrigin, maxAge: number, now: Date): boolean {
  const value = parseObject(text);
  if (textAt(value, "executionStatus") !== "completed") return false;
  if (formatCanonicalJson(objectAt(value, "fleet", "request")) !== formatCanonicalJson(origin.request)) return false;
  const observedAt = textAt(value, "observedAt");
  const age = getAge(observedAt, now);
  return age !== undefined && age <= maxAge && maxAge > 0 && !isInFuture({ observedAt }, now);
}

const MAX_BYTES = 64 * 1024 * 1024;

export function createResultContext(
  now: Date,
  maxAge: number,
  acceptances: readonly Acceptance[],
  checks: readonly Check[],
): FleetContext {
  return {
    now,
    maxAge,
    acceptances,
    effects: new Map(checks.flatMap(({ risks }) => risks.map(({ name, effect }) => [name, effect] as const))),
    unknownNames: new Map(checks.map((check) => [check.id, getUnknownRiskName(check)])),
  };
}

/** A file that can't be read is a result that is not valid. */
export async function readClusterResult(name: string, file: string, context: FleetContext): Promise<FleetCluster> {
  try {
    return { ...(await parseClusterResult(name, await readTextFile(file, MAX_BYTES), context)), file };
  } catch (thrown) {
    return buildInvalid(name, `${file} can't be read: ${formatError(thrown)}`);
  }
}

/** Undefined if there is none yet. */
export async function findResultText(file: string): Promise<string | undefined> {
  try {
    return await readTextFile(file, MAX_BYTES);
  } catch (thrown) {
    if (errorCode(thrown) === "ENOENT") return undefined;
    return "";
  }
}
