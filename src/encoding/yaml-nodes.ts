import { EVENT_ID, getScalarValue, parseEvents } from "js-yaml";
import { parseBoolean } from "./yaml-scalars.ts";
import { MAX_DEPTH } from "./yaml.ts";

type YamlEvent = ReturnType<typeof parseEvents>[number];

/** A value of a YAML or JSON text, and the offset at which it, or its first child, begins: below 0 if nothing is there. */
export type YamlNode =
  | YamlScalar
  | { readonly kind: "alias"; readonly offset: number }
  | { readonly kind: "list"; readonly offset: number; readonly items: readonly YamlNode[] }
  | { readonly kind: "map"; readonly offset: number; readonly entries: readonly YamlEntry[] };

export type YamlScalar = {
  readonly kind: "scalar";
  readonly offset: number;
  readonly end: number;
  readonly text: string;
};

/** The key is empty if it is not a scalar. */
export type YamlEntry = { readonly key: string; readonly offset: number; readonly value: YamlNode };

/** The documents of a text with their offsets; undefined if it is not YAML. */
export function parseNodes(text: string): readonly YamlNode[] | undefined {
  try {
    return buildNodes(text, parseEvents(text, { maxDepth: MAX_DEPTH }));
  } catch {
    return undefined;
  }
}

type OpenCollection = { readonly isMap: boolean; readonly nodes: YamlNode[] };

function buildNodes(text: string, events: readonly YamlEvent[]): readonly YamlNode[] {
  const root: OpenCollection = { isMap: false, nodes: [] };
  const open: OpenCollection[] = [root];
  const add = (node: YamlNode): void => void open.at(-1)?.nodes.push(node);
  for (const event of events) {
    if (event.type === EVENT_ID.SCALAR) {
      const { valueStart: offset, valueEnd: end } = event;
      add({ kind: "scalar", offset, end, text: getScalarValue(text, event) });
    } else if (event.type === EVENT_ID.ALIAS) add({ kind: "alias", offset: -1 });
    else if (event.type !== EVENT_ID.POP) open.push({ isMap: event.type === EVENT_ID.MAPPING, nodes: [] });
    else {
      const closed = open.pop();
      if (closed !== undefined) add(buildCollection(closed));
    }
  }
  // A document is a list with one node.
  return root.nodes.flatMap((node) => (node.kind === "list" ? node.items : []));
}

function buildCollection({ isMap, nodes }: OpenCollection): YamlNode {
  const offset = nodes[0]?.offset ?? -1;
  if (!isMap) return { kind: "list", offset, items: nodes };
  const entries: YamlEntry[] = [];
  for (let i = 0; i + 1 < nodes.length; i += 2) {
    const key = nodes[i];
    const value = nodes[i + 1];
    if (key && value) entries.push({ key: key.kind === "scalar" ? key.text : "", offset: key.offset, value });
  }
  return { kind: "map", offset, entries };
}

export function getText(node: YamlNode | undefined, ...keys: readonly string[]): string | undefined {
  const found = keys.reduce<YamlNode | undefined>((here, key) => here && findChild(here, key)?.value, node);
  return found?.kind === "scalar" ? found.text : undefined;
}

/** The child of a map by its key, as it is or as YAML reads it, or of a list by its index. */
export function findChild(node: YamlNode, key: string): YamlEntry | undefined {
  if (node.kind === "map")
    return (
      node.entries.findLast((entry) => entry.key === key) ??
      node.entries.findLast((entry) => String(parseBoolean(entry.key)) === key)
    );
  const item = node.kind === "list" ? node.items[Number(key)] : undefined;
  return item && { key, offset: item.offset, value: item };
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
  return text.slice(0, Math.max(offset, 0)).split("\n").length;
}
