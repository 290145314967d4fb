import type { EstimateRules, FunctionTable, Expansions, Checked, Expr, Type, ValueType } from "../../cel/index.ts";
import {
  getEstimateRules,
  API_SERVER_MACROS,
  API_SERVER_LIBRARIES,
  API_SERVER_FUNCTIONS,
  buildFunctionTable,
  checkExpression,
  estimateCost,
  nodesOf,
  compile,
  CompileError,
  parseExpression,
  requireProgram,
  BOOL,
  STRING,
  typeText,
  getEscapedSign,
} from "../../cel/index.ts";
import { type ServerFeature, type SchemaProps, NEWEST_MINOR, canNewRuleUse, hasFeature } from "../../openapi/index.ts";
import { ENVIRONMENT, declareVariables } from "./rule-program.ts";

/** What a rule may use. */
type RuleLanguage = {
  readonly functions: FunctionTable;
  readonly macros: Expansions;
  /** Entries of lists and maps with a question mark. */
  readonly hasOptionalEntries: boolean;
  readonly estimates: EstimateRules;
};

const WHOLE: RuleLanguage = {
  functions: API_SERVER_FUNCTIONS,
  macros: API_SERVER_MACROS,
  hasOptionalEntries: true,
  estimates: getEstimateRules(NEWEST_MINOR),
};
const languages = new Map<string, RuleLanguage>();

/** What an API server of Kubernetes 1.`minor` accepts in a rule. `isNew`: the installed CRD does not have the rule. */
function getRuleLanguage(minor: number, isNew: boolean): RuleLanguage {
  if (minor >= NEWEST_MINOR) return WHOLE;
  const key = `${minor} ${isNew}`;
  const language =
    languages.get(key) ?? buildLanguage(minor, (feature) => (isNew ? canNewRuleUse : hasFeature)(feature, minor));
  languages.set(key, language);
  return language;
}

function buildLanguage(minor: number, isKnown: (feature: ServerFeature) => boolean): RuleLanguage {
  return {
    functions: buildFunctionTable(API_SERVER_LIBRARIES, isKnown),
    macros: new Map([...API_SERVER_MACROS].filter(([, { feature }]) => isKnown(feature))),
    hasOptionalEntries: isKnown("optionals"),
    estimates: getEstimateRules(minor),
  };
}

/** An expression compiled as in the API server: its maximum cost, or why it does not compile. */
export type Compiled =
  | { readonly kind: "compiled"; readonly cost: number; readonly looksBack: boolean }
  | { readonly kind: "invalid"; readonly why: string }
  | { readonly kind: "undecided"; readonly why: string };

/** `optionalOld`: oldSelf is an optional value, so that the rule also runs if there is no old value. */
type Expression = {
  readonly text: string;
  readonly result: "bool" | "string";
  readonly self: ValueType;
  readonly optionalOld: boolean;
};

/** As an API server of Kubernetes 1.`minor` compiles it; `isNew`: the installed CRD does not have it. */
export function compileExpression(expression: Expression, minor: number, isNew: boolean): Compiled {
  const compiled = compileIn(expression, getRuleLanguage(minor, isNew));
  if (compiled.kind !== "invalid" || minor >= NEWEST_MINOR) return compiled;
  const first = findFirstMinor(expression, minor, isNew);
  if (first === undefined) return compiled;
  return { kind: "invalid", why: `${compiled.why} (Kubernetes 1.${first} and later accept this expression)` };
}

function findFirstMinor(expression: Expression, minor: number, isNew: boolean): number | undefined {
  const later = Array.from({ length: NEWEST_MINOR - minor }, (_, i) => minor + 1 + i);
  return later.find((one) => compileIn(expression, getRuleLanguage(one, isNew)).kind === "compiled");
}

function compileIn(expression: Expression, language: RuleLanguage): Compiled {
  const { text, result, self, optionalOld } = expression;
  try {
    const checked = checkedExpression(text, self.type, optionalOld, language);
    requireResult(checked, result === "bool" ? BOOL : STRING);
    requireProgram(checked);
    compile(checked.expr, ENVIRONMENT);
    const looksBack = [...checked.names.values()].includes("oldSelf");
    return { kind: "compiled", cost: estimateCost(checked, self, language.estimates), looksBack };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { kind: error.isUndecided ? "undecided" : "invalid", why: error.message };
  }
}

function checkedExpression(text: string, self: Type, optionalOld: boolean, language: RuleLanguage): Checked {
  const expr = parseExpression(text, language.macros);
  if (!language.hasOptionalEntries) refuseOptionalEntries(expr);
  return checkExpression(expr, declareVariables(self, optionalOld), language.functions);
}

function refuseOptionalEntries(expr: Expr): void {
  for (const node of nodesOf(expr)) {
    const isOptional =
      (node.op === "list" && node.optional.size > 0) ||
      (node.op === "map" && node.entries.some((entry) => entry.isOptional));
    if (isOptional) throw new CompileError("there are no optional entries", node);
  }
}

function requireResult(checked: Checked, result: Type): void {
  const type = checked.types.get(checked.expr);
  if (type?.kind === result.kind && !type.isWrapper) return;
  throw new CompileError(`it evaluates to ${type ? typeText(type) : "nothing"}, not ${result.name}`, checked.expr);
}

/**
 * A path below a schema, as the API server splits it: ".a['b.c']". `names` are its fields and keys, `text` is what the API server appends
 * to the path of the value.
 */
type ParsedFieldPath =
  | {
      readonly kind: "valid";
      readonly names: readonly string[];
      readonly text: string;
      readonly schema: SchemaProps | undefined;
    }
  | { readonly kind: "invalid"; readonly reason: string };

/** A dot and a name, which may be quoted or a single sign; or a name in quotes and brackets. */
const STEP = /\.('(?:[^'\\]|\\[^])*'|'[^]*$|[.[\]]|[^.[\]]+)|\['((?:[^'\\]|\\[^])*)'\]/y;

function invalid(reason: string): ParsedFieldPath {
  return { kind: "invalid", reason };
}

/** `brackets`: are names in brackets and quotes allowed? */
export function parseFieldPath(path: string, root: SchemaProps, brackets: boolean): ParsedFieldPath {
  const names: string[] = [];
  let text = "";
  let schema: SchemaProps | undefined = root;
  for (let place = 0; place < path.length; place = STEP.lastIndex) {
    STEP.lastIndex = place;
    const [, plain, quoted] = STEP.exec(path) ?? [];
    const name = quoted !== undefined && brackets ? unquote(quoted) : plain;
    if (name === undefined) return invalid("is not made of names with dots before them");
    const isNamed: boolean = schema !== undefined && schema.properties.size > 0;
    const child: SchemaProps | undefined = isNamed ? schema?.properties.get(name) : schema?.additional?.schema;
    if (isNamed ? child === undefined : schema?.additional === undefined) {
      return invalid("leads to no field of the schema");
    }
    schema = child;
    names.push(name);
    text = isNamed ? `${text === "" ? "" : `${text}.`}${name}` : `${text}[${name}]`;
  }
  return { kind: "valid", names, text, schema };
}

/** A name between quotes with its escapes resolved; undefined if an escape is unknown. */
function unquote(text: string): string | undefined {
  let isGood = true;
  const plain = text.replaceAll(/\\(.)/gs, (_, sign: string) => {
    const meant = sign === "'" || sign === "\\" ? sign : getEscapedSign(sign);
    if (meant === undefined) isGood = false;
    return meant ?? "";
  });
  return isGood ? plain : undefined;
}
