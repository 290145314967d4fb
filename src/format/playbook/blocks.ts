import { formatCommands } from "../text/markdown.ts";

/** Something to do, to tick off, with the commands that do it. */
export function formatTask(text: string, ...commands: readonly string[]): string {
  return commands.length === 0 ? `- [ ] ${text}` : `- [ ] ${text}\n\n${formatCommands(commands, "  ")}`;
}
