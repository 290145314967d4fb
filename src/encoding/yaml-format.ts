import { COLLECTION_STYLE, type Document, type Node, dump } from "js-yaml";
import type { JsonObject } from "../model/json.ts";

const WIDTH = 120;
/** The depth of brackets that is still readable on one line. */
const DEPTH = 2;
const INDENT = 2;

type Extent = { readonly width: number; readonly depth: number };

/** Readable YAML: a small map or list on one line, everything else on separate lines, long text folded. */
export function formatYaml(value: JsonObject): string {
  return dump(value, { lineWidth: WIDTH, noRefs: true, transform: inlineSmall });
}

/** The keys of a case and of its maps are always on separate lines. */
function inlineSmall(documents: readonly Document[]): void {
  for (const { contents } of documents) {
    const sections = contents ? children(contents, 0) : [];
    const entries = sections.flatMap((section) =>
      section.node.kind === "mapping" ? children(section.node, INDENT) : [section],
    );
    for (const entry of entries) inline(entry);
  }
}

/** A node, its indentation in columns, and the width of its key. */
type Child = { readonly node: Node; readonly indent: number; readonly key: number };

function inline({ node, indent, key }: Child): void {
  const { width, depth } = measure(node);
  if (depth <= DEPTH && !hasMaps(node) && indent + key + width <= WIDTH) setInline(node);
  else for (const child of children(node, indent + INDENT)) inline(child);
}

/** A list of maps has one line for each map. */
function hasMaps(node: Node): boolean {
  return node.kind === "sequence" && node.items.some(({ kind }) => kind === "mapping");
}

function setInline(node: Node): void {
  if (node.kind === "sequence" || node.kind === "mapping") node.style = COLLECTION_STYLE.FLOW;
  for (const child of children(node, 0)) setInline(child.node);
}

function children(node: Node, indent: number): readonly Child[] {
  if (node.kind === "sequence") return node.items.map((item) => ({ node: item, indent, key: 2 }));
  if (node.kind !== "mapping") return [];
  return node.items.map(({ key, value }) => ({ node: value, indent, key: measure(key).width + 2 }));
}

/** The width of a node on one line, and the depth of its brackets. */
function measure(node: Node): Extent {
  if (node.kind === "alias") return { width: 0, depth: 0 };
  if (node.kind === "scalar") return { width: scalarWidth(node.value), depth: 0 };
  const extents = node.kind === "sequence" ? node.items.map(measure) : node.items.map(measureEntry);
  return {
    width: extents.reduce((sum, { width }) => sum + width + 2, 2),
    depth: 1 + Math.max(0, ...extents.map(({ depth }) => depth)),
  };
}

function measureEntry({ key, value }: { readonly key: Node; readonly value: Node }): Extent {
  const { width, depth } = measure(value);
  return { width: measure(key).width + 2 + width, depth };
}

function scalarWidth(text: string): number {
  return text.includes("\n") ? Number.POSITIVE_INFINITY : text.length + (/^[\w./-]+$/.test(text) ? 0 : 2);
}
