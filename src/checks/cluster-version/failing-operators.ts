import type { Finding } from "../../model/check.ts";
import type { ClusterVersionCondition } from "./cluster-version.ts";

/** The risk of the check cluster-operators for the same fault, found at the operator itself. */
const UNHEALTHY = "ClusterOperatorUnhealthy";

/** Whether Failing only says of cluster operators what another check has reported of each of them. */
export function areOperatorsReported(
  { reason, message }: Pick<ClusterVersionCondition, "reason" | "message">,
  reported: readonly Finding[],
): boolean {
  if (!/^ClusterOperators?[A-Z]/.test(reason)) return false;
  const names = parseOperators(message);
  const unhealthy = new Set(reported.filter(({ risk }) => risk === UNHEALTHY).map(({ object }) => object.name));
  return names.length > 0 && names.every((name) => unhealthy.has(name));
}

const NAME = "[a-z0-9][-a-z0-9.]*";
/** "Cluster operators dns, etcd are degraded", and as 4.11 and before had it "Some cluster operators are not available: dns, etcd". */
const OPERATORS = new RegExp(
  `^Cluster operators? (${NAME}(?:, ${NAME})*) (?:is|are|has|have)\\b|^Some cluster operators are [a-z ]+: (${NAME}(?:, ${NAME})*)`,
);

/** None if the message has another form. */
function parseOperators(message: string): readonly string[] {
  const match = OPERATORS.exec(message);
  return (match?.[1] ?? match?.[2] ?? "").split(", ").filter((name) => name !== "");
}
