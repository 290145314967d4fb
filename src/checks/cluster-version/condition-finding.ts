import type { Finding } from "../../model/check.ts";
import { CLUSTER_VERSION } from "../../model/resource.ts";
import { type ClusterVersionCondition, formatCondition } from "./cluster-version.ts";

/** A finding that a condition of ClusterVersion has a state such as "Failing=True". */
export function buildFinding(
  risk: string,
  state: string,
  condition: Pick<ClusterVersionCondition, "reason" | "message">,
): Finding {
  const { reason, message } = condition;
  return {
    risk,
    object: CLUSTER_VERSION,
    message: `It reports ${state} (${formatCondition(condition)}).`,
    detail: { condition: formatCondition(condition), reason, message },
  };
}
