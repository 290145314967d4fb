import { defineCommand, type Operand, type ValuesOf } from "../../settings/command.ts";

const completionOperand = {
  name: "shell",
  placeholder: "bash|zsh|fish",
  describe: "Shell of the script (default: bash)",
  isOptional: true,
} as const satisfies Operand;

export type CompletionValues = ValuesOf<Record<never, never>, typeof completionOperand>;

export const completion = defineCommand({
  name: "completion",
  describe: "Print a completion script for bash, zsh or fish",
  settings: {},
  operand: completionOperand,
  examples: [
    { command: "source <(preflight completion bash)", describe: "Complete words in this bash" },
    { command: "source <(preflight completion zsh)", describe: "Complete words in this zsh" },
    { command: "preflight completion fish | source", describe: "Complete words in this fish" },
  ],
  process: "short",
  load: () => import("./run.ts"),
});
