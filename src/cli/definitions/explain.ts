import { defineCommand, type Operand, type ValuesOf } from "../command-line/command.ts";

const explainOperand = { name: "name", describe: "Id of a check, or name of a risk" } as const satisfies Operand;

export type ExplainValues = ValuesOf<Record<never, never>, typeof explainOperand>;

export const explain = defineCommand({
  name: "explain",
  describe: "Explain a check or a risk",
  settings: {},
  operand: explainOperand,
  examples: [{ command: "preflight explain crd-skew", describe: "Explain a check and its risks" }],
  load: () => import("../commands/explain.ts"),
});
