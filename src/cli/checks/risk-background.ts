import { formatCount } from "../../model/text.ts";
import type { RiskBackground } from "../../format/view/view.ts";
import type { Check, RiskText } from "../../model/check.ts";
import type { Report } from "../../model/report.ts";
import { LAST_KNOWN_RELEASE, formatMinor } from "../../model/version.ts";
import { formatApplicability, formatPlatforms } from "./check-metadata.ts";

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
