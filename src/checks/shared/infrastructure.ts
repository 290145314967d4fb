import { type JsonObject, textAt } from "../../model/json.ts";

/** The platform that an Infrastructure reports, such as "AWS", or "". `status.platform` is the deprecated field. */
export function getInfrastructurePlatform(infrastructure: JsonObject): string {
  return (
    textAt(infrastructure, "status", "platformStatus", "type") ?? textAt(infrastructure, "status", "platform") ?? ""
  );
}
