import { defineCommand, type Operand, type ValuesOf } from "../../settings/command.ts";

const explainOperand = {
  name: "name",
  placeholder: "CHECK|RISK",
  describe: "Id of a check, or name of a risk",
} as const satisfies Operand;

export type ExplainValues = ValuesOf<Record<never, never>, typeof explainOperand>;

export const explain = defineCommand({
  name: "explain",
  describe: "Explain a check or a risk",
  settings: {},
  operand: explainOperand,
  examples: [
    { command: "preflight explain CgroupV1Removed", describe: "Explain a risk: whom it concerns, and what to do" },
    { command: "preflight explain crd-skew", describe: "Explain a check, and list its risks" },
  ],
  process: "short",
  load: () => import("./run.ts"),
});
