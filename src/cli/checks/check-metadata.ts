import type { RiskBackground } from "../../format/view/view.ts";
import type { Applicability, Check, RiskText } from "../../model/check.ts";
import { getRemediation, getUnknownRiskName, isOn } from "../../model/check.ts";
import { getReadPath } from "../../model/read.ts";
import type { Report } from "../../model/report.ts";
import { formatCount } from "../../model/text.ts";
import { LAST_KNOWN_RELEASE, formatMinor } from "../../model/version.ts";
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

/** A fault with a longer history names its first and its last ranges. */
const MAX_RANGES = 6;

/** What a risk concerns, and how sure it is: the same on every cluster. */
export function describeBackground(check: Check, risk: RiskText): RiskBackground {
  return {
    concerns: `${formatPlatforms(check)}: ${formatApplicability(check)}`,
    releases: formatAffected(risk.knownAs?.affected ?? []),
    certainty: describeCertainty(check, risk),
  };
}

/** By the names of the risks in a report. */
export function buildRiskBackgrounds(checks: readonly Check[], { risks }: Report): ReadonlyMap<string, RiskBackground> {
  const names = new Set(risks.map(({ name }) => name));
  return new Map(
    checks.flatMap((check) =>
      check.risks
        .filter(({ name }) => names.has(name))
        .map((risk): [string, RiskBackground] => [risk.name, describeBackground(check, risk)]),
    ),
  );
}

function formatAffected(ranges: readonly string[]): readonly string[] {
  if (ranges.length <= MAX_RANGES) return ranges;
  const half = MAX_RANGES / 2;
  return [
    ...ranges.slice(0, half),
    `... ${formatCount(ranges.length - MAX_RANGES, "more range")} ...`,
    ...ranges.slice(-half),
  ];
}

function describeCertainty(check: Check, { knownAs: { affected, liftedAs } = {} }: RiskText): string {
  const base = describeBasis(check, affected !== undefined);
  return liftedAs === undefined ? base : `${base} The running operator reports the same fault.`;
}

function describeBasis({ basis }: Check, isPublished: boolean): string {
  if (isPublished) return "Reported only if objects of the cluster show that the published bug concerns it.";
  if (basis === "manifests") return "The cluster's objects are compared with the target's own manifests.";
  if (basis !== "table") return "The cluster's objects show it.";
  return `The cluster's objects are compared with tables of releases up to ${formatMinor(LAST_KNOWN_RELEASE)}; for later targets, the check is unknown.`;
}
