import { checks } from "../../src/checks/index.ts";
import { getReads } from "../../src/cli/checks/cluster-role.ts";
import { redact as redactExcept } from "../../src/cluster/recorded/redact.ts";
import type { JsonObject } from "../../src/model/json.ts";

/** What recordings are made for. */
export const RECORDED_READS = checks.flatMap(getReads);

/** The values of annotations that recordings keep. */
export const KEPT_ANNOTATIONS = RECORDED_READS.flatMap(({ annotations = [] }) => annotations);

/** An object as a recording holds it. */
export function redact(object: JsonObject): JsonObject {
  return redactExcept(object, KEPT_ANNOTATIONS);
}
