import { checks } from "../../src/checks/index.ts";
import { listKeptAnnotations } from "../../src/cli/commands/record.ts";
import { redact as redactExcept } from "../../src/cluster/recorded/redact.ts";
import type { JsonObject } from "../../src/model/json.ts";

/** What recordings keep of annotations. */
export const KEPT_ANNOTATIONS = listKeptAnnotations(checks);

/** An object as a recording holds it. */
export function redact(object: JsonObject): JsonObject {
  return redactExcept(object, KEPT_ANNOTATIONS);
}
