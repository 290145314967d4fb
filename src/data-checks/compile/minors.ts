import { type Platform, findMinorPlatform, formatMinor, getKubernetesMinor, parseMinor } from "../../model/version.ts";
import { type CallExpr, type Expr, type Span, nodesOf } from "../../schema/cel/index.ts";
import { PLATFORM_NAMES, formatContaining } from "../format/applies.ts";
import type { DocumentPlace, PlacedFault } from "../format/fault.ts";
import { explainMinor } from "./applies-faults.ts";

/** `ordinals`: the platform whose minors `ordinal` counts. `known`: of variables, the platform whose minors they count. */
export type MinorScope = {
  readonly platforms: readonly Platform[];
  readonly ordinals: Platform;
  readonly known: ReadonlyMap<string, Platform>;
};

const COMPARING = new Set(["_<_", "_<=_", "_>_", "_>=_", "_==_", "_!=_"]);

/** Minors that there are not, and those of one platform that are compared with the other's. */
export function findMinorFaults(syntax: Expr, scope: MinorScope, place: DocumentPlace): readonly PlacedFault[] {
  const refuse = (message: string, hint: string, { start, end }: Span): readonly PlacedFault[] => [
    { severity: "error", place, message, hint, span: { start, end } },
  ];
  return [...nodesOf(syntax)].flatMap((node): readonly PlacedFault[] => {
    if (node.op !== "call") return [];
    const written = findWrittenMinor(node);
    if (written !== undefined) {
      const said = explainMinor(written.text);
      // Of minor() alone, what is no minor is found with the other constants.
      const isKnown = node.name === "minor" && parseMinor(written.text) === undefined;
      return said === undefined || isKnown ? [] : refuse(said.message, said.hint, written.at);
    }
    const said = explainMix(node, scope) ?? explainForeign(node, scope);
    return said === undefined ? [] : refuse(said.message, said.hint, node);
  });
}

/** The platform whose minors a value counts, if it is a minor. */
export function findMinorScale(expr: Expr, scope: MinorScope): Platform | undefined {
  if (expr.op === "ident") return scope.known.get(expr.name.replace(/^\./, ""));
  if (expr.op === "select") return findFieldScale(expr, scope);
  if (expr.op !== "call") return undefined;
  if (expr.name === "_+_" || expr.name === "_-_") {
    const [left, right] = expr.args.map((arg) => findMinorScale(arg, scope));
    return left === undefined || right === undefined ? (left ?? right) : undefined;
  }
  const minor = expr.name === "minor" ? parseMinor(findWrittenMinor(expr)?.text ?? "") : undefined;
  return minor && findMinorPlatform(minor);
}

function findFieldScale(expr: Expr, { ordinals }: MinorScope): Platform | undefined {
  const field = findReleaseField(expr);
  if (field === "ordinal") return ordinals;
  return field === "openshift" || field === "kubernetes" ? field : undefined;
}

/** The field of `source` or `target`. */
function findReleaseField(expr: Expr | undefined): string | undefined {
  if (expr?.op !== "select" || expr.operand.op !== "ident") return undefined;
  return ["source", "target"].includes(expr.operand.name) ? expr.field : undefined;
}

type WrittenMinor = { readonly text: string; readonly at: Span };

/** The macro `crosses` has the update's own minors before it. */
function findWrittenMinor({ name, target, args }: CallExpr): WrittenMinor | undefined {
  const at = args.at(-1);
  if (target !== undefined || (name !== "minor" && name !== "crosses") || at?.op !== "literal") return undefined;
  return typeof at.value === "string" ? { text: at.value, at } : undefined;
}

type Said = { readonly message: string; readonly hint: string };

function explainMix({ name, args }: CallExpr, scope: MinorScope): Said | undefined {
  const [left, right] = args;
  if (!COMPARING.has(name) || left === undefined || right === undefined) return undefined;
  const scales = [findMinorScale(left, scope), findMinorScale(right, scope)];
  const fraction = findFraction(left, scales[1]) ?? findFraction(right, scales[0]);
  if (fraction !== undefined) return explainFraction(fraction);
  const [one, other] = scales;
  if (one === undefined || other === undefined || one === other) return undefined;
  return {
    message: `this compares a minor of ${PLATFORM_NAMES[one]} with one of ${PLATFORM_NAMES[other]}`,
    hint: suggestSame(left, name.replaceAll("_", ""), right),
  };
}

function findFraction(expr: Expr, other: Platform | undefined): number | undefined {
  return other !== undefined && expr.op === "literal" && typeof expr.value === "number" ? expr.value : undefined;
}

/** 4.20 is 4.2 as a number. */
function explainFraction(value: number): Said {
  return {
    message: "a minor is not a number with a fraction: 4.20 would be 4.2",
    hint: `write minor("${value}")`,
  };
}

/** The same comparison on one platform: the field of the platform of the minor that is written down, or the minor that the other one has. */
function suggestSame(left: Expr, operator: string, right: Expr): string {
  const written = [left, right].map((expr) => (expr.op === "call" ? findWrittenMinor(expr)?.text : undefined));
  const text = written[0] ?? written[1] ?? "";
  const minor = parseMinor(text);
  const [field, owner] = [left, right].flatMap((expr) =>
    expr.op === "select" && expr.operand.op === "ident" ? [expr.field, expr.operand.name] : [],
  );
  if (minor === undefined) return "compare minors of one platform: source, target and minor() of the same one";
  const platform = findMinorPlatform(minor) ?? "openshift";
  if (field === undefined || findReleaseField(written[0] === undefined ? left : right) === undefined)
    return `write minor("${platform === "kubernetes" ? formatContaining(minor.minor) : `1.${getKubernetesMinor(minor)}`}")`;
  const own = `${owner ?? "target"}.${platform}`;
  const other = `minor("${text}")`;
  return `write ${written[0] === undefined ? `${own} ${operator} ${other}` : `${other} ${operator} ${own}`}`;
}

/** A text that `target.minor` is only on a platform on which the check does not apply. */
function explainForeign({ name, args }: CallExpr, { platforms }: MinorScope): Said | undefined {
  if (name !== "_==_" && name !== "_!=_" && name !== "@in") return undefined;
  const [left, right] = args;
  const isMinor = findReleaseField(left) === "minor" || findReleaseField(right) === "minor";
  const texts = [left, right].flatMap((expr) => (expr?.op === "list" ? expr.items : (expr ?? [])));
  const foreign = texts.find((expr) => isMinor && isForeign(expr, platforms));
  if (foreign?.op !== "literal" || typeof foreign.value !== "string") return undefined;
  const text = foreign.value;
  const field = left?.op === "select" ? left : right;
  const owner = field?.op === "select" && field.operand.op === "ident" ? field.operand.name : "target";
  const minor = parseMinor(text) ?? { major: 0, minor: 0 };
  const platform = findMinorPlatform(minor) ?? "openshift";
  return {
    message: `${formatMinor(minor)} is a minor of ${PLATFORM_NAMES[platform]}, on which the check does not apply`,
    hint: `write ${owner}.${platform} == minor("${text}")`,
  };
}

function isForeign(expr: Expr, platforms: readonly Platform[]): boolean {
  if (expr.op !== "literal" || typeof expr.value !== "string") return false;
  const minor = parseMinor(expr.value);
  const platform = minor && findMinorPlatform(minor);
  return platform !== undefined && !platforms.includes(platform);
}
