import type { FixKind } from "../../model/fix-kind.ts";
import type { ObjectCommand } from "./page.ts";

const KINDS: Readonly<Record<FixKind, string>> = { safe: "safe", disruptive: "disruptive", weakening: "weakens" };

/** "Fix (disruptive)": what its commands do at worst. */
export function formatFixLabel(kind: FixKind | undefined): string {
  return kind === undefined ? "Fix" : `Fix (${KINDS[kind]})`;
}

export function formatCommandLabel(command: ObjectCommand): string {
  return command.kind === "see" ? "See" : formatFixLabel(command.fixKind);
}

/** Those that show the fault come first. */
export function sortCommands(commands: readonly ObjectCommand[]): readonly ObjectCommand[] {
  return (["see", "fix"] as const).flatMap((kind) => commands.filter((command) => command.kind === kind));
}

/** Lines of a shell, with the label of what follows as a comment. */
export function listCommandLines(commands: readonly ObjectCommand[]): readonly string[] {
  const groups = [...Map.groupBy(sortCommands(commands), formatCommandLabel)];
  return groups.flatMap(([label, own]) => [`# ${label}`, ...own.map(({ text }) => text)]);
}
