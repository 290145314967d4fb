import type { CheckNames } from "./names.ts";

const IMPORT = /^import (\w+) from "\.\/([a-z0-9-]+)\/check\.ts";$/;
const ENTRY = /^ {2}(\w+),$/;

/** The text of src/checks/index.ts with one check added; both lists are sorted by id. */
export function addCheck(text: string, { id, variable }: Pick<CheckNames, "id" | "variable">): string {
  const lines = text.split("\n");
  const ids = new Map(lines.flatMap((line) => parseImport(line)));
  ids.set(variable, id);
  const sorted = [...ids].toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  const imports = sorted.map(([name, of]) => `import ${name} from "./${of}/check.ts";`);
  const entries = sorted.map(([name]) => `  ${name},`);
  return replaceBlock(replaceBlock(lines, IMPORT, imports), ENTRY, entries).join("\n");
}

function parseImport(line: string): readonly (readonly [string, string])[] {
  const [, name, id] = IMPORT.exec(line) ?? [];
  return name === undefined || id === undefined ? [] : [[name, id]];
}

/** Replaces the range from the first to the last line that matches. */
function replaceBlock(lines: readonly string[], form: RegExp, instead: readonly string[]): readonly string[] {
  const [first, last] = [lines.findIndex((line) => form.test(line)), lines.findLastIndex((line) => form.test(line))];
  if (first === -1) throw new Error("src/checks/index.ts has an unexpected form: it lists no checks");
  return [...lines.slice(0, first), ...instead, ...lines.slice(last + 1)];
}
