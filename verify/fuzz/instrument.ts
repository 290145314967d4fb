import { type AnyNode, type IfStatement, type SwitchCase, parse } from "acorn";

/** The name by which instrumented code finds its counters on the global object. */
export const COUNTERS = "__fuzzCounters";

export type Instrumented = {
  readonly code: string;
  /** The counters that the code increments: from the first one given up to but not including this one. */
  readonly end: number;
  /** The texts that the code compares with, looks for or writes. */
  readonly texts: readonly string[];
};

type Insertions = { readonly opening: Map<number, string>; readonly closing: Map<number, string> };
type Instrumenting = Insertions & { next: number; readonly texts: Set<string> };

const MAX_TEXT_LENGTH = 80;
/** Functions, loops and catch clauses: nodes whose body may or may not run. */
const HAS_BODY =
  /^(?:Function(?:Declaration|Expression)|ArrowFunctionExpression|(?:For|ForIn|ForOf|While|DoWhile)Statement|CatchClause)$/;

/** Adds a counter to each branch of a module, from number `first` on. Lines stay where they are, so that stacks name the right ones. */
export function instrument(code: string, format: "module" | "script", first: number): Instrumented {
  const tree = parse(code, {
    ecmaVersion: "latest",
    sourceType: format,
    allowHashBang: true,
    allowReturnOutsideFunction: true,
  });
  const state: Instrumenting = { opening: new Map(), closing: new Map(), next: first, texts: new Set() };
  visit(tree, state);
  return { code: `const __c=globalThis.${COUNTERS};${insert(code, state)}`, end: state.next, texts: [...state.texts] };
}

function visit(node: AnyNode, state: Instrumenting): void {
  countBranches(node, state);
  for (const value of Object.values(node).flat()) if (isNode(value)) visit(value, state);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function countBranches(node: AnyNode, state: Instrumenting): void {
  if (node.type === "IfStatement") countIf(node, state);
  else if (node.type === "SwitchCase") countCase(node, state);
  else if (node.type === "ConditionalExpression") {
    countExpression(node.consequent, state);
    countExpression(node.alternate, state);
  } else if (node.type === "LogicalExpression" || node.type === "AssignmentPattern") countExpression(node.right, state);
  else if (node.type === "Literal") collectText(node.value, state);
  else if (node.type === "TemplateElement") collectText(node.value.cooked, state);
  else if (node.type === "ArrowFunctionExpression" && node.expression) countExpression(node.body, state);
  else if (HAS_BODY.test(node.type) && "body" in node && isNode(node.body)) countStatement(node.body, state);
}

function countIf(node: IfStatement, state: Instrumenting): void {
  if (node.alternate) countStatement(node.alternate, state);
  else addClosing(state, node.end, ` else{${count(state)};}`);
  countStatement(node.consequent, state);
}

function countCase({ consequent: [first] }: SwitchCase, state: Instrumenting): void {
  if (first) addOpening(state, first.start, `${count(state)};`);
}

function collectText(value: unknown, { texts }: Instrumenting): void {
  if (typeof value === "string" && value !== "" && value.length <= MAX_TEXT_LENGTH) texts.add(value);
  if (typeof value === "number") texts.add(String(value));
}

function countStatement(node: AnyNode, state: Instrumenting): void {
  if (node.type === "BlockStatement") return addOpening(state, node.start + 1, `${count(state)};`);
  addOpening(state, node.start, `{${count(state)};`);
  return addClosing(state, node.end, "}");
}

function countExpression(node: AnyNode, state: Instrumenting): void {
  addOpening(state, node.start, `(${count(state)},`);
  addClosing(state, node.end, ")");
}

function count(state: Instrumenting): string {
  state.next += 1;
  return `__c[${state.next - 1}]++`;
}

function addOpening({ opening }: Insertions, position: number, text: string): void {
  opening.set(position, `${opening.get(position) ?? ""}${text}`);
}

/** Outer nodes are visited first and end last. */
function addClosing({ closing }: Insertions, position: number, text: string): void {
  closing.set(position, `${text}${closing.get(position) ?? ""}`);
}

function insert(code: string, { opening, closing }: Insertions): string {
  const positions = [...new Set([...opening.keys(), ...closing.keys()])].toSorted((a, b) => a - b);
  let inserted = "";
  let last = 0;
  for (const position of positions) {
    inserted += `${code.slice(last, position)}${closing.get(position) ?? ""}${opening.get(position) ?? ""}`;
    last = position;
  }
  return inserted + code.slice(last);
}
