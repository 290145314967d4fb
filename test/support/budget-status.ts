import type { Finding } from "../../src/model/check.ts";
import type { AdminApi } from "../../verify/api-server/admin-api.ts";
import { syncSpec } from "./evictions/disruption-controller.ts";

/** Writes the status of the findings' budgets, as the disruption controller does after a change; the control plane has none. */
export async function syncBudgets(api: AdminApi, findings: readonly Finding[]): Promise<void> {
  const budgets = findings.filter(({ object }) => object.kind === "PodDisruptionBudget").map(({ object }) => object);
  for (const { namespace, name } of budgets) {
    const path = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/${name}`;
    const { body } = await api.call("GET", path);
    const status = syncSpec(body);
    await api.call("PATCH", `${path}/status`, { status }, "application/merge-patch+json");
  }
}
