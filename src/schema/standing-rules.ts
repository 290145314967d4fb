import { type Json, isList, isObject } from "../model/json.ts";
import { type Node, type Rule, additionalNode } from "./node.ts";
import { type Path, bracketText } from "./path.ts";
import type { NotEvaluated } from "./verdict.ts";

/** Rules met, each with the first value at which it stands. */
export type Met = Map<Rule, NotEvaluated>;

/** Gathers the rules that stand at values; none stands at a null. */
export function meetRules(node: Node, value: Json, path: Path, met: Met): void {
  if (!node.hasRules || value === null) return;
  for (const rule of node.rules) {
    if (!met.has(rule)) met.set(rule, { path: bracketText(path), location: rule.location, rule: rule.rule });
  }
  if (isList(value)) meetInList(node, value, path, met);
  else if (isObject(value)) meetInMap(node, value, path, met);
}

function meetInList(node: Node, list: readonly Json[], path: Path, met: Met): void {
  if (!node.items?.hasRules) return;
  for (const [i, item] of list.entries()) {
    path.push(i);
    meetRules(node.items, item, path, met);
    path.pop();
  }
}

function meetInMap(node: Node, map: { readonly [key: string]: Json }, path: Path, met: Met): void {
  const additional = additionalNode(node);
  for (const key of Object.keys(map)) {
    const property = node.properties.get(key);
    const child = property ?? additional;
    const value = map[key];
    if (!child?.hasRules || value === undefined) continue;
    path.push(property ? key : { key });
    meetRules(child, value, path, met);
    path.pop();
  }
}
