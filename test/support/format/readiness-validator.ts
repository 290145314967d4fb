import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { type Json, type JsonObject, objectsAt, parseObject, textAt } from "../../../src/model/json.ts";

const SCHEMA = join(import.meta.dirname, "../../../schemas/ota-analysis-v1alpha1.schema.json");

export const readinessValidator = new Ajv({ allErrors: true }).compile(JSON.parse(readFileSync(SCHEMA, "utf8")));

export type ParsedReadiness = {
  readonly decision: string | undefined;
  /** The status of each line of the table, by its name. */
  readonly rows: Readonly<Record<string, string | undefined>>;
  readonly findings: readonly JsonObject[];
  readonly operators: Json | undefined;
};

/** The parts of a text that is valid, with exactly one summary and a finding for each thing that is not as it should be. */
export function readReadiness(text: string): ParsedReadiness {
  readinessValidator(JSON.parse(text));
  assert.deepEqual(readinessValidator.errors, null);
  const components = objectsAt(parseObject(text), "analysisData");
  const select = (type: string): readonly JsonObject[] => components.filter((one) => textAt(one, "type") === type);
  const [summary, ...more] = select("ota_readiness_summary");
  assert.deepEqual(more, []);
  assert.ok(select("ota_olm_operator_status").length <= 1);
  const rows = objectsAt(summary, "checks");
  return {
    decision: textAt(summary, "decision"),
    rows: Object.fromEntries(rows.map((row) => [textAt(row, "name") ?? "", textAt(row, "status")])),
    findings: select("ota_finding"),
    operators: select("ota_olm_operator_status")[0],
  };
}
