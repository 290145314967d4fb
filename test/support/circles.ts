import { dirname, join } from "node:path/posix";
import { type SourceFile, parseImports, parseRunTimeImports } from "../../verify/shared/imports.ts";

/** Files that import each other, directly or through others: each circle as its files, sorted. */
export function findCircles(
  sources: readonly SourceFile[],
  at: "any time" | "run time",
): readonly (readonly string[])[] {
  const parse = at === "run time" ? parseRunTimeImports : parseImports;
  const imports = new Map(
    sources.map(({ path, text }) => [path, parse(text).map((specifier) => join(dirname(path), specifier))]),
  );
  const reached = new Map([...imports.keys()].map((path) => [path, collectReached(path, imports)]));
  return [...reached].flatMap(([path, own]) => {
    const circle = [...own].filter((other) => reached.get(other)?.has(path)).toSorted();
    return circle[0] === path && circle.length > 1 ? [circle] : [];
  });
}

function collectReached(path: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const imported of imports.get(next) ?? []) {
      if (reached.has(imported) || !imports.has(imported)) continue;
      reached.add(imported);
      waiting.push(imported);
    }
  }
  return reached;
}
