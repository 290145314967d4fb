import { COLLECTION_STYLE, EVENT_ID, SCALAR_STYLE, getScalarValue, parseEvents } from "js-yaml";
import { KUBERNETES_SCHEMA } from "./yaml-scalars.ts";
import { MAX_DEPTH } from "./yaml.ts";

const MERGE_KEY = "<<";

type YamlEvent = ReturnType<typeof parseEvents>[number];

/** A value of a YAML or JSON text, and the offset at which it, or its first child, begins: below 0 if nothing is there. */
export type YamlNode = YamlScalar | YamlAlias | YamlList | YamlMap;

/** `flowStart`: of one in brackets, where they begin. */
export type YamlList = {
  readonly kind: "list";
  readonly offset: number;
  readonly flowStart: number | undefined;
  readonly items: readonly YamlNode[];
};
export type YamlMap = {
  readonly kind: "map";
  readonly offset: number;
  readonly flowStart: number | undefined;
  readonly entries: readonly YamlEntry[];
};

/** `target`: what has the anchor; undefined if it is around the alias. */
export type YamlAlias = {
  readonly kind: "alias";
  readonly offset: number;
  readonly end: number;
  readonly target: YamlNode | undefined;
};

/** From `offset` to `end` it stands without its quotes, or without the line that begins a block. */
export type YamlScalar = {
  readonly kind: "scalar";
  readonly offset: number;
  readonly end: number;
  readonly text: string;
  readonly style: "plain" | "'" | '"' | "block";
};

/** The key is empty if it is not a scalar. */
export type YamlEntry = {
  readonly key: string;
  readonly offset: number;
  readonly keyNode: YamlNode;
  readonly value: YamlNode;
};

/** An entry of a map, or an item of a list by its index. */
export type YamlChild = Pick<YamlEntry, "key" | "offset" | "value">;

/** The documents of a text with their offsets; undefined if it is not YAML. */
export function parseNodes(text: string): readonly YamlNode[] | undefined {
  try {
    return buildNodes(text, parseEvents(text, { maxDepth: MAX_DEPTH }));
  } catch {
    return undefined;
  }
}

type OpenCollection = {
  readonly isMap: boolean;
  readonly nodes: YamlNode[];
  readonly flowStart?: number;
  readonly anchor?: string;
};

const STYLES: Readonly<Record<number, YamlScalar["style"]>> = {
  [SCALAR_STYLE.PLAIN]: "plain",
  [SCALAR_STYLE.SINGLE_QUOTED]: "'",
  [SCALAR_STYLE.DOUBLE_QUOTED]: '"',
};

function buildNodes(text: string, events: readonly YamlEvent[]): readonly YamlNode[] {
  const root: OpenCollection = { isMap: false, nodes: [] };
  const open: OpenCollection[] = [root];
  const anchored = new Map<string, YamlNode>();
  const add = (node: YamlNode, anchor?: string): void => {
    open.at(-1)?.nodes.push(node);
    if (anchor !== undefined) anchored.set(anchor, node);
  };
  for (const event of events) {
    if (event.type === EVENT_ID.SCALAR) {
      const { valueStart: offset, valueEnd: end } = event;
      const style = STYLES[event.style] ?? "block";
      add({ kind: "scalar", offset, end, text: getScalarValue(text, event), style }, getAnchor(text, event));
    } else if (event.type === EVENT_ID.ALIAS) {
      const target = anchored.get(text.slice(event.anchorStart, event.anchorEnd));
      add({ kind: "alias", offset: event.anchorStart - 1, end: event.anchorEnd, target });
    } else if (event.type === EVENT_ID.DOCUMENT) open.push({ isMap: false, nodes: [] });
    else if (event.type !== EVENT_ID.POP) {
      const flowStart = event.style === COLLECTION_STYLE.FLOW ? event.start : undefined;
      open.push({ isMap: event.type === EVENT_ID.MAPPING, nodes: [], flowStart, anchor: getAnchor(text, event) });
    } else {
      const closed = open.pop();
      if (closed !== undefined) add(buildCollection(closed), closed.anchor);
    }
  }
  // A document is a list with one node.
  return root.nodes.flatMap((node) => (node.kind === "list" ? node.items : []));
}

function getAnchor(
  text: string,
  { anchorStart, anchorEnd }: { readonly anchorStart: number; readonly anchorEnd: number },
): string | undefined {
  return anchorStart < 0 ? undefined : text.slice(anchorStart, anchorEnd);
}

function buildCollection({ isMap, nodes, flowStart }: OpenCollection): YamlNode {
  const offset = nodes[0]?.offset ?? -1;
  if (!isMap) return { kind: "list", offset, flowStart, items: nodes };
  const entries: YamlEntry[] = [];
  for (let i = 0; i + 1 < nodes.length; i += 2) {
    const key = nodes[i];
    const value = nodes[i + 1];
    if (key && value)
      entries.push({ key: key.kind === "scalar" ? key.text : "", offset: key.offset, keyNode: key, value });
  }
  return { kind: "map", offset, flowStart, entries };
}

export function getText(node: YamlNode | undefined, ...keys: readonly string[]): string | undefined {
  const found = keys.reduce<YamlNode | undefined>((here, key) => here && findChild(here, key)?.value, node);
  return found?.kind === "scalar" ? found.text : undefined;
}

/** The child of a map by its key, as it is or as YAML reads it, or of a list by its index; also of what an alias stands for, and merged. */
export function findChild(node: YamlNode, key: string): YamlChild | undefined {
  return findChildOnce(node, key, new Set());
}

/** `seen`: merged maps, which may be the same ones over and over. */
function findChildOnce(node: YamlNode, key: string, seen: Set<YamlNode>): YamlChild | undefined {
  if (node.kind === "alias") return node.target && findChildOnce(node.target, key, seen);
  if (node.kind === "map")
    return (
      node.entries.findLast((entry) => entry.key === key) ??
      node.entries.findLast((entry) => readKey(entry.key) === key) ??
      findMerged(node.entries, key, seen)
    );
  const item = node.kind === "list" ? node.items[Number(key)] : undefined;
  return item && { key, offset: item.offset, value: item };
}

/** A key as the name of a field: "on" is "true". */
function readKey(key: string): string {
  return String(KUBERNETES_SCHEMA.resolveImplicitScalarTag(key).value);
}

function findMerged(entries: readonly YamlEntry[], key: string, seen: Set<YamlNode>): YamlChild | undefined {
  const merged = entries
    .filter((entry) => entry.key === MERGE_KEY)
    .flatMap(({ value }) => (value.kind === "list" ? value.items : [value]));
  for (const one of merged) {
    const map = one.kind === "alias" ? one.target : one;
    if (map?.kind !== "map" || seen.has(map)) continue;
    seen.add(map);
    const found = findChildOnce(map, key, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The offset of the deepest key on the path that exists. */
export function findOffset(node: YamlNode, keys: readonly string[]): number {
  let here = node;
  let offset = node.offset;
  for (const key of keys) {
    const child = findChild(here, key);
    if (child === undefined) return offset;
    if (child.offset >= 0) ({ offset } = child);
    here = child.value;
  }
  return offset;
}

/** The line of an offset, from 1. */
export function getLine(text: string, offset: number): number {
  let line = 1;
  for (let end = text.indexOf("\n"); end >= 0 && end < offset; end = text.indexOf("\n", end + 1)) line++;
  return line;
}
