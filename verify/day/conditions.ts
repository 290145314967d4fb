import { type JsonObject, at, listAt, textAt } from "../../src/model/json.ts";
import type { ControlPlane } from "../api-server/control-plane.ts";
import { patchObject, readObject } from "../api-server/objects.ts";

/** Sets a condition as its operator does, and keeps the others. */
export async function setCondition(cluster: ControlPlane, path: string, condition: JsonObject): Promise<void> {
  const type = textAt(condition, "type");
  const others = listAt(at(await readObject(cluster, path), "status"), "conditions").filter(
    (one) => textAt(one, "type") !== type,
  );
  const since = { lastTransitionTime: "2026-01-01T00:00:00Z" };
  await patchObject(cluster, `${path}/status`, { status: { conditions: [...others, { ...since, ...condition }] } });
}
