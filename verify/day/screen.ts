/** What a person reads of a risk. */
export type ScreenRisk = {
  /** In one line. */
  readonly text: string;
  /** The commands that remove it, in the order in which they stand. */
  readonly fixes: readonly string[];
  readonly lines: number;
};

const FIX = /^ +Fix \((?:safe|disruptive|weakens)\) +(.*)$/;

/** The risk that the last line calls the next; undefined if nothing is left to mend. */
export function findNextRisk(screen: string): string | undefined {
  const last = screen.trimEnd().split("\n").at(-1) ?? "";
  return /\bNext: (\w+)/.exec(last)?.[1];
}

/** What a first screen says of a risk: a paragraph that begins with its name. */
export function findParagraph(screen: string, risk: string): ScreenRisk | undefined {
  const lines = screen.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`${risk}: `));
  return start === -1 ? undefined : buildRisk(takeUntil(lines.slice(start), (line) => line === ""));
}

/** What `-o wide` says of it: its name, indented, and all below that is indented more. */
export function findCard(screen: string, risk: string): ScreenRisk | undefined {
  const lines = screen.split("\n");
  const start = lines.findIndex((line) => line === `  ${risk}` || line.startsWith(`  ${risk} (`));
  if (start === -1) return undefined;
  const [name = "", ...below] = lines.slice(start);
  return buildRisk([name, ...takeUntil(below, (line) => !line.startsWith("    "))]);
}

function takeUntil(lines: readonly string[], isEnd: (line: string) => boolean): readonly string[] {
  const end = lines.findIndex(isEnd);
  return end === -1 ? lines : lines.slice(0, end);
}

function buildRisk(lines: readonly string[]): ScreenRisk {
  return {
    text: lines.map((line) => line.trim()).join(" "),
    fixes: lines.flatMap((line) => FIX.exec(line)?.[1] ?? []),
    lines: lines.length,
  };
}

/** What became of the risks, as a second look's table has it: "fixed", "still there", "new" or "unknown" by name. */
export function readStates(screen: string): ReadonlyMap<string, string> {
  const rows = screen.split("\n").map((line) => /^(fixed|still there|new|unknown) {2,}(\w+)/.exec(line));
  return new Map(rows.flatMap((row) => (row === null ? [] : [[row[2] ?? "", row[1] ?? ""] as const])));
}

export function countLines(screen: string): number {
  return screen.trimEnd().split("\n").length;
}
