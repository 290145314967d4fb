import { type Node, additionalNode } from "../node.ts";

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["'", "'"],
  ["\\", "\\"],
]);
const STEP = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/y;

/** A rule's fieldPath as the API server appends it to a path; undefined where it leads to no field of the schema. */
export function fieldPathText(path: string, from: Pick<Node, "properties" | "additional">): string | undefined {
  let node: Pick<Node, "properties" | "additional"> | undefined = from;
  let text = "";
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const found = STEP.exec(path);
    const name = found && (found[1] ?? unquoted(found[2] ?? ""));
    if (name === null || name === undefined || node === undefined) return undefined;
    const isProperty: boolean = node.properties.size > 0;
    text = isProperty ? (text === "" ? name : `${text}.${name}`) : `${text}[${name}]`;
    node = isProperty ? node.properties.get(name) : additionalNode(node);
    if (node === undefined) return undefined;
  }
  return text;
}

function unquoted(text: string): string | undefined {
  let isGood = true;
  const plain = text.replaceAll(/\\(.)/gs, (_, sign: string) => {
    const meant = ESCAPES.get(sign);
    if (meant === undefined) isGood = false;
    return meant ?? "";
  });
  return isGood ? plain : undefined;
}
