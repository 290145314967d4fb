import { defineCommand, type Operand, type ValuesOf } from "../../settings/command.ts";

const validateOperand = { name: "file", describe: "File with the document" } as const satisfies Operand;

export type ValidateValues = ValuesOf<Record<never, never>, typeof validateOperand>;

export const validate = defineCommand({
  name: "validate",
  describe: "Validate a document against the schema of preflight-v1-json",
  settings: {},
  operand: validateOperand,
  examples: [
    { command: "preflight validate preflight-v1.json", describe: "Validate a document that the runner wrote" },
  ],
  exitCodes: { 0: "the document is valid", 1: "it is not, or can't be read", 2: "wrong usage" },
  process: "short",
  load: () => import("./run.ts"),
});
