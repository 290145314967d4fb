import { buildCheckName } from "../model/check.ts";
import type { CheckDefinition, RiskDefinition } from "./definition.ts";
import type { PlacedFault } from "./fault.ts";

/** Who wrote a check: this project, or the administrator of the cluster. */
export type CheckOrigin = "embedded" | "site";

const PREFIXES: Readonly<Record<CheckOrigin, string>> = { embedded: "", site: "Site" };

/** The id of a check of an origin: "site-quotas". */
export function buildOriginId(name: string, origin: CheckOrigin): string {
  return origin === "embedded" ? name : `${origin}-${name}`;
}

/** A check under the names that its origin gives it, which nobody else's are. */
export function addOrigin(definition: CheckDefinition, origin: CheckOrigin): CheckDefinition {
  const { metadata, spec } = definition;
  const prefix = PREFIXES[origin];
  const { name = buildCheckName(metadata.name), risks = [] } = spec;
  return {
    metadata: { ...metadata, name: buildOriginId(metadata.name, origin) },
    spec: {
      ...spec,
      name: `${prefix}${name}`,
      risks: risks.map((risk) => ({ ...risk, name: `${prefix}${risk.name}` })),
    },
  };
}

/** Fields that only this project's checks may have. */
const EMBEDDED_FIELDS = ["published", "liftedAs"] as const;

export function findOriginFaults({ spec }: CheckDefinition, origin: CheckOrigin): readonly PlacedFault[] {
  if (origin === "embedded") return [];
  return (spec.risks ?? []).flatMap((risk, i) => findRiskFaults(risk, i));
}

function findRiskFaults(risk: RiskDefinition, i: number): readonly PlacedFault[] {
  const place = ["spec", "risks", i];
  const fields = EMBEDDED_FIELDS.filter((field) => risk[field] !== undefined).map((field): PlacedFault => ({
    severity: "error",
    place: [...place, field],
    message: "only the checks of preflight itself may have it",
  }));
  if (risk.effect !== "refused") return fields;
  const message = "only the cluster-version operator refuses updates, and its own checks say so";
  return [
    ...fields,
    { severity: "error", place: [...place, "effect"], message, hint: "use stuck, broken or notRecommended" },
  ];
}
