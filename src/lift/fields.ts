import { type Json, type JsonObject, at, isObject, listAt, textAt } from "../model/json.ts";

/** Which of the gated fields a cluster's ClusterVersion CRD has: what it lacks, the API server drops without a word. */
export type CrdFields = {
  /** spec.desiredUpdate.mode: ClusterUpdatePreflight, DevPreviewNoUpgrade. */
  readonly mode: boolean;
  /** The others: ClusterUpdateAcceptRisks, from 4.22 on in TechPreviewNoUpgrade and DevPreviewNoUpgrade. */
  readonly acceptRisks: boolean;
  readonly conditionalUpdateRisks: boolean;
  readonly riskNames: boolean;
  readonly riskConditions: boolean;
};

/** The Default feature set, and every release before 4.22. */
export const NO_FIELDS: CrdFields = {
  mode: false,
  acceptRisks: false,
  conditionalUpdateRisks: false,
  riskNames: false,
  riskConditions: false,
};

/** Where each field stands in the schema, "[]" for a list's items. */
const PLACES: readonly (readonly [field: keyof CrdFields, where: string])[] = [
  ["mode", "spec.desiredUpdate.mode"],
  ["acceptRisks", "spec.desiredUpdate.acceptRisks"],
  ["conditionalUpdateRisks", "status.conditionalUpdateRisks"],
  ["riskNames", "status.conditionalUpdates[].riskNames"],
  ["riskConditions", "status.conditionalUpdates[].risks[].conditions"],
];

/** Reads the fields from the CustomResourceDefinition clusterversions.config.openshift.io, of a cluster or of a payload. */
export function fieldsOf(crd: JsonObject): CrdFields {
  const version = listAt(crd, "spec", "versions").find((one) => textAt(one, "name") === "v1");
  const schema = at(version, "schema", "openAPIV3Schema");
  const known = PLACES.map(([field, where]) => [field, has(schema, where)] as const);
  return { ...NO_FIELDS, ...Object.fromEntries(known) };
}

/** The places of the fields for risks that are not there, as an administrator would look for them. */
export function absentRiskFields(fields: CrdFields): readonly string[] {
  return PLACES.filter(([field]) => field !== "mode" && !fields[field]).map(([, where]) => where);
}

function has(schema: Json | undefined, where: string): boolean {
  const steps = where.replaceAll("[]", ".[]").split(".");
  const found = steps.reduce(
    (here, step) => (step === "[]" ? at(here, "items") : at(here, "properties", step)),
    schema,
  );
  return isObject(found);
}
