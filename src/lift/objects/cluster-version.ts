import { type JsonObject, at, listAt, textAt } from "../../model/json.ts";
import { withoutAlias } from "./alert-risk.ts";

/** The names in spec.desiredUpdate.acceptRisks. The former name of a risk's alert also accepts the risk. */
export function getAcceptedRisks(clusterVersion: JsonObject): readonly string[] {
  return listAt(clusterVersion, "spec", "desiredUpdate", "acceptRisks").flatMap((one) =>
    withoutAlias(textAt(one, "name") ?? ""),
  );
}

/** Makes a write fail with a conflict if the object changed in between. */
export function buildOptimisticLock(object: JsonObject): JsonObject {
  const resourceVersion = at(object, "metadata", "resourceVersion");
  return typeof resourceVersion === "string" ? { metadata: { resourceVersion } } : {};
}
