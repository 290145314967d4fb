import { type Json, isList, isObject } from "../model/json.ts";
import { embeddedErrors } from "./embedded.ts";
import { duplicates } from "./list-types.ts";
import { type Node, additionalNode } from "./node.ts";
import { type Path, bracketText } from "./path.ts";
import { type Errors, addError } from "./verdict.ts";

/**
 * What the API server checks beside the schema's validation: list types, where asked for, and embedded resources. The object itself is
 * none of those.
 */
export function checkShapes(node: Node, value: Json, path: Path, errors: Errors, listTypes = true): void {
  if (!node.hasShapes || typeof value !== "object" || value === null) return;
  if (isList(value)) checkList(node, value, path, errors, listTypes);
  else if (isObject(value)) checkMap(node, value, path, errors, listTypes);
}

function checkList(node: Node, list: readonly Json[], path: Path, errors: Errors, listTypes: boolean): void {
  for (const { index, type, message } of listTypes && node.listType ? duplicates(node.listType, list) : []) {
    addError(errors, { type, path: bracketText([...path, index]), message });
  }
  if (!node.items?.hasShapes) return;
  for (const [i, item] of list.entries()) {
    path.push(i);
    checkShapes(node.items, item, path, errors, listTypes);
    path.pop();
  }
}

function checkMap(
  node: Node,
  map: { readonly [key: string]: Json },
  path: Path,
  errors: Errors,
  listTypes: boolean,
): void {
  if (node.embedded && path.length > 0) {
    for (const { field, type, message } of embeddedErrors(map))
      addError(errors, { type, path: bracketText([...path, ...field]), message });
  }
  const additional = additionalNode(node);
  for (const key of Object.keys(map)) {
    const property = node.properties.get(key);
    const child = property ?? additional;
    const value = map[key];
    if (!child?.hasShapes || value === undefined) continue;
    path.push(property ? key : { key });
    checkShapes(child, value, path, errors, listTypes);
    path.pop();
  }
}
