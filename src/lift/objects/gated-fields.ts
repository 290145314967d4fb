import { type Json, type JsonObject, at, isObject, listAt, textAt } from "../../model/json.ts";

/** Which gated fields a cluster's ClusterVersion CRD has. The API server silently drops the others. */
export type GatedFields = {
  /** spec.desiredUpdate.mode: ClusterUpdatePreflight, DevPreviewNoUpgrade. */
  readonly mode: boolean;
  /** The others: ClusterUpdateAcceptRisks, from 4.22 on in TechPreviewNoUpgrade and DevPreviewNoUpgrade. */
  readonly acceptRisks: boolean;
  readonly conditionalUpdateRisks: boolean;
  readonly riskNames: boolean;
  readonly riskConditions: boolean;
};

/** The Default feature set, and every release before 4.22. */
export const NO_GATED_FIELDS: GatedFields = {
  mode: false,
  acceptRisks: false,
  conditionalUpdateRisks: false,
  riskNames: false,
  riskConditions: false,
};

/** Path of each field in the schema; "[]" means list items. */
const FIELD_PATHS: readonly (readonly [field: keyof GatedFields, where: string])[] = [
  ["mode", "spec.desiredUpdate.mode"],
  ["acceptRisks", "spec.desiredUpdate.acceptRisks"],
  ["conditionalUpdateRisks", "status.conditionalUpdateRisks"],
  ["riskNames", "status.conditionalUpdates[].riskNames"],
  ["riskConditions", "status.conditionalUpdates[].risks[].conditions"],
];

/** Gets the fields from the CustomResourceDefinition clusterversions.config.openshift.io of a cluster or payload. */
export function getGatedFields(crd: JsonObject): GatedFields {
  const version = listAt(crd, "spec", "versions").find((one) => textAt(one, "name") === "v1");
  const schema = at(version, "schema", "openAPIV3Schema");
  const presence = FIELD_PATHS.map(([field, where]) => [field, hasField(schema, where)] as const);
  return { ...NO_GATED_FIELDS, ...Object.fromEntries(presence) };
}

/** The paths of the absent risk fields, for messages. */
export function listAbsentRiskFields(fields: GatedFields): readonly string[] {
  return FIELD_PATHS.filter(([field]) => field !== "mode" && !fields[field]).map(([, where]) => where);
}

function hasField(schema: Json | undefined, where: string): boolean {
  const steps = where.replaceAll("[]", ".[]").split(".");
  const fieldSchema = steps.reduce(
    (here, step) => (step === "[]" ? at(here, "items") : at(here, "properties", step)),
    schema,
  );
  return isObject(fieldSchema);
}
