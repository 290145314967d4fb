import { buildCheckName } from "../model/check.ts";
import type { CheckSource } from "../model/check-origin.ts";
import type { CheckDefinition, RiskDefinition } from "./definition.ts";
import type { DocumentPlace, PlacedFault } from "./fault.ts";
import { isOthersRisk } from "../model/site-checks.ts";

/** The id of a check of a source: "site-quotas", "olm-strimzi-kafka-operator-listeners". */
export function buildSourceId(name: string, source: CheckSource): string {
  if (source.kind === "embedded") return name;
  return `${source.kind === "operator" ? `olm-${source.package}` : source.kind}-${name}`;
}

/** Before the names of risks. Those of the target are the release's own. */
function getPrefix(source: CheckSource): string {
  if (source.kind === "operator") return buildCheckName(`olm-${source.package}`);
  return source.kind === "site" ? "Site" : "";
}

/** A check under the names that its source gives it, which nobody else's are. */
export function addSource(definition: CheckDefinition, source: CheckSource): CheckDefinition {
  const { metadata, spec } = definition;
  const prefix = getPrefix(source);
  const { name = buildCheckName(metadata.name), risks = [] } = spec;
  return {
    metadata: { ...metadata, name: buildSourceId(metadata.name, source) },
    spec: {
      ...spec,
      name: `${prefix}${name}`,
      risks: risks.map((risk) => ({ ...risk, name: `${prefix}${risk.name}` })),
    },
  };
}

/** Fields that only this project's checks may have. */
const EMBEDDED_FIELDS = ["published", "liftedAs"] as const;

/** What a check of a source may not say. */
export function findSourceFaults({ spec }: CheckDefinition, source: CheckSource): readonly PlacedFault[] {
  if (source.kind === "embedded") return [];
  return (spec.risks ?? []).flatMap((risk, i) => findRiskFaults(risk, i, source));
}

function findRiskFaults(risk: RiskDefinition, i: number, { kind }: CheckSource): readonly PlacedFault[] {
  const place = ["spec", "risks", i];
  const own =
    kind === "payload" && isOthersRisk(risk.name)
      ? [buildFault([...place, "name"], "names that begin with Site or Olm are those of administrators and operators")]
      : [];
  const fields = EMBEDDED_FIELDS.filter((field) => risk[field] !== undefined).map((field) =>
    buildFault([...place, field], "only the checks of preflight itself may have it"),
  );
  if (risk.effect !== "refused" || kind === "payload") return [...own, ...fields];
  const message = "only the cluster-version operator refuses updates, and its own checks say so";
  return [...fields, { ...buildFault([...place, "effect"], message), hint: "use stuck, broken or notRecommended" }];
}

function buildFault(place: DocumentPlace, message: string): PlacedFault {
  return { severity: "error", place, message };
}
