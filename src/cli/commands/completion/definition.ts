import type { CommandDefinition, CommandValues } from "../../settings/command.ts";

export const completion = {
  name: "completion",
  describe: "Print a completion script for bash, zsh or fish",
  settings: {},
  operand: {
    name: "shell",
    placeholder: "bash|zsh|fish",
    describe: "Shell of the script (default: bash)",
    isOptional: true,
  },
  examples: [
    { command: "source <(preflight completion bash)", describe: "Complete words in this bash" },
    { command: "source <(preflight completion zsh)", describe: "Complete words in this zsh" },
    { command: "preflight completion fish | source", describe: "Complete words in this fish" },
  ],
  process: "short",
} as const satisfies CommandDefinition;

export type CompletionValues = CommandValues<typeof completion>;
