import { type Applicability, type Check, getUnknownRiskName } from "../model/check.ts";
import { defined } from "../model/optional.ts";
import { getReadPath } from "../runner/gather.ts";
import { getReads } from "./cluster-role.ts";

/** The updates that a check applies to, in words. */
export function formatApplicability(applies: Applicability): string {
  if (applies.kind === "crosses") return `updates into or past ${applies.minor}`;
  if (applies.kind === "leavesMinor") return "updates to another minor";
  const words = { patch: "patch updates", minor: "updates to later minors", rollback: "rollbacks" };
  return applies.kinds.map((kind) => words[kind]).join(", ");
}

/** A check's metadata, for `list -o json` and the generated pages. */
export function describeCheck(check: Check) {
  const risks = check.risks.map(({ name, title, url, remediation, liftedAs, published }) => ({
    name,
    title,
    url,
    remediation,
    ...defined({ liftedAs, published }),
  }));
  return {
    id: check.id,
    title: check.title,
    applies: formatApplicability(check.applies),
    portable: check.portable === true,
    ...defined({ kubernetesOnly: check.kubernetesOnly }),
    risks,
    unknownRisk: getUnknownRiskName(check),
    reads: getReads(check).map(getReadPath).toSorted(),
    readsKindsOfTarget: check.followedKinds !== undefined,
    needsManifests: check.needsManifests,
    ...defined({ onRequest: check.onRequest }),
  };
}

/** The platforms that a check supports. */
export function formatPlatforms({ portable, kubernetesOnly }: Pick<Check, "portable" | "kubernetesOnly">): string {
  if (kubernetesOnly) return "Kubernetes";
  return portable ? "OpenShift, Kubernetes" : "OpenShift";
}
