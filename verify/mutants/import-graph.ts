import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";

const STATEMENT =
  /^\s*(?:import|export)\b(?!\s+type\b)[^;"]*?\bfrom\s*"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"\s*\)|^\s*import\s+"(\.[^"]+)"/gm;

export type ImportGraph = {
  /** The files that a file imports, by itself or through others, and itself. */
  readonly reach: (file: string) => ReadonlySet<string>;
  readonly isImported: (file: string, by: string) => boolean;
};

/** Which files of a project load which; paths are relative to its root. */
export function readImportGraph(root: string): ImportGraph {
  const imports = new Map<string, readonly string[]>();
  const listImports = (file: string): readonly string[] => {
    const known = imports.get(file) ?? readImports(root, file);
    imports.set(file, known);
    return known;
  };
  const reach = (file: string): ReadonlySet<string> => {
    const seen = new Set([file]);
    for (const one of seen) for (const imported of listImports(one)) seen.add(imported);
    return seen;
  };
  return { reach, isImported: (file, by) => listImports(by).includes(file) };
}

function readImports(root: string, file: string): readonly string[] {
  const path = join(root, file);
  if (!/\.m?[jt]s$/.test(file) || !existsSync(path)) return [];
  return [...readFileSync(path, "utf8").matchAll(STATEMENT)].map(([, from, dynamic, bare]) =>
    join(dirname(file), from ?? dynamic ?? bare ?? ""),
  );
}
