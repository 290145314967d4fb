import { type ExitCodes, type Command, formatExitCodes } from "../../src/cli/settings/command.ts";

/** Commands that have the same codes, by their names. */
export type ExitCodeGroup = { readonly names: readonly string[]; readonly codes: ExitCodes };

/** In sentences, the command without a name. */
export const RUNNER = "the runner";

export function groupByExitCodes(commands: readonly Command[]): readonly ExitCodeGroup[] {
  const groups = Map.groupBy(commands, ({ exitCodes }) => formatExitCodes(exitCodes));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const names = group.map(({ name }) => (name === "run" ? RUNNER : name));
    return first === undefined ? [] : [{ names, codes: first.exitCodes }];
  });
}
