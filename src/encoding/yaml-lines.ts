import { EVENT_ID, getScalarValue, parseEvents } from "js-yaml";

type YamlEvent = ReturnType<typeof parseEvents>[number];

/** A value of a YAML or JSON text, and the offset at which it, or its key, begins. */
export type YamlNode =
  | { readonly kind: "scalar"; readonly offset: number; readonly text: string }
  | { readonly kind: "list"; readonly offset: number; readonly items: readonly YamlNode[] }
  | { readonly kind: "map"; readonly offset: number; readonly entries: ReadonlyMap<string, MapEntry> };

type MapEntry = { readonly offset: number; readonly value: YamlNode };

const MAX_DEPTH = 200;

/** The documents of a text with their offsets; empty if it is not YAML. */
export function parseNodes(text: string): readonly YamlNode[] {
  try {
    return buildNodes(text, parseEvents(text, { maxDepth: MAX_DEPTH }));
  } catch {
    return [];
  }
}

type Open = { readonly isMap: boolean; readonly nodes: YamlNode[] };

function buildNodes(text: string, events: readonly YamlEvent[]): readonly YamlNode[] {
  const root: Open = { isMap: false, nodes: [] };
  const open: Open[] = [root];
  for (const event of events) {
    if (event.type === EVENT_ID.SCALAR)
      open.at(-1)?.nodes.push({ kind: "scalar", offset: event.valueStart, text: getScalarValue(text, event) });
    else if (event.type === EVENT_ID.ALIAS) open.at(-1)?.nodes.push({ kind: "scalar", offset: -1, text: "" });
    else if (event.type !== EVENT_ID.POP) open.push({ isMap: event.type === EVENT_ID.MAPPING, nodes: [] });
    else close(open);
  }
  // A document is a list with one node.
  return root.nodes.flatMap((node) => (node.kind === "list" ? node.items : []));
}

function close(open: Open[]): void {
  const closed = open.pop();
  if (closed === undefined) return;
  const offset = closed.nodes[0]?.offset ?? -1;
  open
    .at(-1)
    ?.nodes.push(closed.isMap ? buildMap(closed.nodes, offset) : { kind: "list", offset, items: closed.nodes });
}

function buildMap(nodes: readonly YamlNode[], offset: number): YamlNode {
  const entries = new Map<string, MapEntry>();
  for (let i = 0; i + 1 < nodes.length; i += 2) {
    const [key, value] = [nodes[i], nodes[i + 1]];
    if (key?.kind === "scalar" && value !== undefined) entries.set(key.text, { offset: key.offset, value });
  }
  return { kind: "map", offset, entries };
}

export function getText(node: YamlNode | undefined, ...keys: readonly string[]): string | undefined {
  const found = keys.reduce<YamlNode | undefined>((here, key) => here && findChild(here, key)?.value, node);
  return found?.kind === "scalar" ? found.text : undefined;
}

/** The child of a map by its key, or of a list by its index. */
export function findChild(node: YamlNode, key: string): MapEntry | undefined {
  if (node.kind === "map") return node.entries.get(key);
  const item = node.kind === "list" ? node.items[Number(key)] : undefined;
  return item && { offset: item.offset, value: item };
}

/** The offset of the deepest key on the path that exists. */
export function findOffset(node: YamlNode, keys: readonly string[]): number {
  let [here, offset] = [node, node.offset];
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
  return text.slice(0, Math.max(offset, 0)).split("\n").length;
}
