import { type Applicability, type Check, getRemediation, getUnknownRiskName, isOn } from "../../model/check.ts";
import { getReadPath } from "../../model/read.ts";
import { getReads } from "./cluster-role.ts";

/** The updates that a check applies to, in words. */
export function formatApplicability(check: Pick<Check, "applies" | "platforms">): string {
  const { applies } = check;
  if (applies.kind === "crosses") return `updates into or past ${formatBoundary(applies, check)}`;
  if (applies.kind === "leavesMinor") return "updates to another minor";
  const words = { patch: "patch updates", minor: "updates to later minors", rollback: "rollbacks" };
  return applies.kinds.map((kind) => words[kind]).join(", ");
}

/** Of both platforms, if the check names a minor of each. */
function formatBoundary(
  { minor, kubernetes }: Extract<Applicability, { kind: "crosses" }>,
  check: Pick<Check, "platforms">,
): string {
  if (kubernetes === undefined || !isOn("kubernetes", check)) return minor;
  return isOn("openshift", check) ? `${minor}, or Kubernetes 1.${kubernetes}` : `Kubernetes 1.${kubernetes}`;
}

/** A check's metadata, for `list -o json` and the generated pages. */
export function describeCheck(check: Check) {
  const risks = check.risks.map((risk) => ({
    name: risk.name,
    title: risk.title,
    url: risk.url,
    remediation: getRemediation(risk),
    liftedAs: risk.knownAs?.liftedAs,
    published: risk.knownAs?.published,
  }));
  return {
    id: check.id,
    title: check.title,
    applies: formatApplicability(check),
    portable: isOn("kubernetes", check),
    kubernetesOnly: isOn("openshift", check) ? undefined : true,
    risks,
    unknownRisk: getUnknownRiskName(check),
    reads: [...new Set(getReads(check).map(getReadPath))].toSorted(),
    readsKindsOfTarget: check.special?.followedKinds !== undefined,
    needsManifests: check.basis === "manifests",
    onRequest: check.special?.onRequest,
    subject: check.special?.subject,
    origin: check.origin,
  };
}

/** The flag without which a check does not run: "only with --only"; empty for most. */
export function formatRunsOnlyWith({ special }: Pick<Check, "special">, quote: (flag: string) => string): string {
  const flag = special?.subject === undefined ? special?.onRequest && "--only" : "--hosted-cluster";
  return flag === undefined ? "" : ` (only with ${quote(flag)})`;
}

/** The platforms that a check supports. */
export function formatPlatforms(check: Pick<Check, "platforms">): string {
  if (!isOn("openshift", check)) return "Kubernetes";
  return isOn("kubernetes", check) ? "OpenShift, Kubernetes" : "OpenShift";
}
