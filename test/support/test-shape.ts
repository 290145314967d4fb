import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path/posix";
import { type AnyNode, parse } from "acorn";
import type { SourceFile } from "../../verify/shared/imports.ts";

const MOST_LINES = 200;

/** Declarations of several names by a list that is written beside them, as sentences: each name has a declaration of its own. */
export function findPairs(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter(({ text }) => /\b(?:const|let) \[[^;]*?=\s*\[/.test(text))
    .flatMap(({ path, text }) =>
      parseFile(text)
        .filter(isPair)
        .map(
          ({ loc }) => `${path}:${loc?.start.line} declares several names by one list: write a declaration for each`,
        ),
    );
}

/** A list that spreads another is really taken apart. */
function isPair(node: AnyNode): boolean {
  if (node.type !== "VariableDeclarator" || node.id.type !== "ArrayPattern") return false;
  if (node.init?.type !== "ArrayExpression") return false;
  return node.init.elements.every((element) => element?.type !== "SpreadElement");
}

/** What makes the tests hard to read, as sentences: groups that nobody sees whole, and helpers that nobody looks for where they are. */
export function findTestFaults(files: readonly SourceFile[]): readonly string[] {
  return files.filter(mayBeHard).flatMap(({ path, text }) => {
    const nodes = parseFile(text);
    return [...findLongGroups(path, nodes), ...findMisplacedHelpers(path, nodes)];
  });
}

/** To parse all files takes seconds: most neither have room for a long group nor name a file that they must not import. */
function mayBeHard({ path, text }: SourceFile): boolean {
  if (!path.endsWith(".test.ts") && !path.startsWith("test/support/")) return true;
  const hasRoom = /\b(?:describe|suite)\b/.test(text) && text.split("\n").length > MOST_LINES;
  return hasRoom || [...text.matchAll(/["'](\.[^"'\n]*)["']/g)].some(([, name = ""]) => isMisplaced(path, name));
}

function isMisplaced(path: string, specifier: string): boolean {
  const imported = join(dirname(path), specifier);
  return imported.startsWith("test/") && !imported.startsWith("test/support/");
}

function parseFile(text: string): readonly AnyNode[] {
  const options = { ecmaVersion: "latest", sourceType: "module", locations: true, allowHashBang: true } as const;
  return collectNodes(parse(stripTypeScriptTypes(text), options));
}

function collectNodes(node: AnyNode): readonly AnyNode[] {
  return [node, ...Object.values(node).flat().filter(isNode).flatMap(collectNodes)];
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function findLongGroups(path: string, nodes: readonly AnyNode[]): readonly string[] {
  return nodes
    .filter(isGroup)
    .flatMap(({ loc }) => (loc ? [{ line: loc.start.line, lines: loc.end.line - loc.start.line + 1 }] : []))
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ line, lines }) => `${path}:${line} is a group of ${lines} lines: split it by what it tests`);
}

/** A call of `describe` or `suite`, or of one of their variants: `describe.skip`. */
function isGroup(node: AnyNode): boolean {
  if (node.type !== "CallExpression") return false;
  const callee = node.callee.type === "MemberExpression" ? node.callee.object : node.callee;
  return callee.type === "Identifier" && /^(?:describe|suite)$/.test(callee.name);
}

function findMisplacedHelpers(path: string, nodes: readonly AnyNode[]): readonly string[] {
  const isTest = path.endsWith(".test.ts");
  if (!isTest && !path.startsWith("test/support/")) return [`${path} is no test: move it to test/support`];
  return nodes
    .flatMap((node) => (node.type === "ImportDeclaration" ? String(node.source.value) : []))
    .map((specifier) => (specifier.startsWith(".") ? join(dirname(path), specifier) : specifier))
    .filter((imported) => imported.startsWith("test/") && !imported.startsWith("test/support/"))
    .map((imported) => `${path} imports ${imported}: move what it needs to test/support`);
}
