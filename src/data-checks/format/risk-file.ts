import schema from "../../../schemas/preflight-check-v1alpha1.schema.json" with { type: "json" };
import type { RiskTexts } from "./definition.ts";
import { type CheckFault, type CheckText, type PlacedFault, formatFault } from "./fault.ts";
import { locateDocuments } from "./parse.ts";
import { createShapeJudge } from "./shape.ts";

/** The texts of the risks that a check in TypeScript finds. */
export type RiskFile = {
  readonly name: string;
  readonly risks: readonly RiskTexts[];
  readonly locate: (fault: PlacedFault) => CheckFault;
};

/** As the risks of a check that is data, without the rules that find them. */
const { risk } = schema.definitions;
const judgeRisks = createShapeJudge<{ readonly risks: readonly RiskTexts[] }>({
  type: "object",
  additionalProperties: false,
  required: ["risks"],
  properties: {
    risks: {
      type: "array",
      minItems: 1,
      items: {
        ...risk,
        required: risk.required.filter((field) => field !== "findings"),
        properties: Object.fromEntries(Object.entries(risk.properties).filter(([field]) => field !== "findings")),
      },
    },
  },
  definitions: schema.definitions,
});

const MAX_CHARACTERS = 64 * 1024;

/** Rejects with every fault and its place. */
export async function parseRiskFile(source: CheckText): Promise<RiskFile> {
  const { documents, faults } = locateDocuments(source, MAX_CHARACTERS);
  const [document] = documents;
  if (document === undefined || documents.length > 1 || faults.length > 0)
    throw new Error(faults.map(formatFault).join("\n") || `${source.name} must hold the risks of one check`);
  const { value, locate } = document;
  const shape = await judgeRisks(value);
  if (shape.kind === "faulty") throw new Error(shape.faults.map(locate).map(formatFault).join("\n"));
  return { name: source.name, risks: shape.definition.risks, locate };
}
