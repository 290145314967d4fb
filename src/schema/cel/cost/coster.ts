import type { Expr } from "../syntax/ast.ts";
import { actualSize } from "../runtime/environment.ts";
import { hasFeature } from "../../openapi/index.ts";
import { ACCUMULATOR } from "../syntax/macros.ts";
import { DYN, type Type, type ValueType } from "../types/types.ts";

/** The least and the most of a size or a cost. Costs are counted in 64 bits and stop at the largest number. */
export type Range = { readonly min: number; readonly max: number };

export const LARGEST = 2 ** 64;
const LARGEST_BITS = 2n ** 64n - 1n;

export const UNKNOWN_SIZE: Range = { min: 0, max: LARGEST };
export const ZERO: Range = { min: 0, max: 0 };
export const ONE: Range = { min: 1, max: 1 };

export function fixed(size: number): Range {
  return { min: size, max: size };
}

function capped(value: number): number {
  return Math.min(value, LARGEST);
}

export function add(...ranges: readonly Range[]): Range {
  return ranges.reduce((sum, { min, max }) => ({ min: capped(sum.min + min), max: capped(sum.max + max) }), ZERO);
}

export function multiply(a: Range, b: Range): Range {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

/** Times a factor, rounded up. */
export function scale({ min, max }: Range, factor: number): Range {
  return { min: capped(Math.ceil(min * factor)), max: capped(Math.ceil(max * factor)) };
}

export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** The result truncated to 64 bits. */
export function wrapped(value: bigint): number {
  const bits = BigInt.asUintN(64, value);
  return bits === LARGEST_BITS ? LARGEST : Number(bits);
}

export function asBits(size: number): bigint {
  return size >= LARGEST ? LARGEST_BITS : BigInt(size);
}

/**
 * Where in an object a value comes from: "self", fields, "@items", "@keys". cel-go holds it in a slice and appends to slices that share
 * their memory, so that a longer path can change under a node that has it; estimates follow it in that, or costs would differ.
 */
export type DataPath = { readonly steps: string[]; readonly length: number; readonly capacity: number };

export const NO_PATH: DataPath = { steps: [], length: 0, capacity: 0 };

export function findDataPath(name: string): DataPath {
  return { steps: [name], length: 1, capacity: 1 };
}

export function append(path: DataPath, step: string): DataPath {
  const { steps, length, capacity } = path;
  if (length < capacity) {
    steps[length] = step;
    return { steps, length: length + 1, capacity };
  }
  return { steps: [...collectSteps(path), step], length: length + 1, capacity: Math.max(1, capacity * 2) };
}

export function collectSteps({ steps, length }: DataPath): readonly string[] {
  return steps.slice(0, length);
}

/** Sizes of the keys and values of a list or map that an expression makes. */
export type Entries = { readonly isList: boolean; readonly key: Range; readonly value: Range };

type Local = { readonly path: DataPath; readonly size: Range | undefined; readonly entries: Entries | undefined };

/** What the API server's minor of Kubernetes decides. */
export type EstimateRules = {
  /** Are the sizes of what lists and maps hold known, and those of local variables? */
  readonly tracksEntries: boolean;
  /** Is comparing two values of Kubernetes' libraries known to be cheap? */
  readonly knowsLibraryEquality: boolean;
};

export function getEstimateRules(minor: number): EstimateRules {
  return { tracksEntries: hasFeature("entrySizes", minor), knowsLibraryEquality: hasFeature("libraryEquality", minor) };
}

/** An estimate under way. `root`: what `self` holds. */
export type Coster = {
  readonly rules: EstimateRules;
  readonly types: ReadonlyMap<Expr, Type>;
  /** The names of the nodes that are names, dots included. */
  readonly names: ReadonlyMap<Expr, string>;
  readonly root: ValueType;
  readonly paths: Map<Expr, DataPath>;
  readonly sizes: Map<Expr, Range>;
  readonly entries: Map<Expr, Entries>;
  readonly locals: Map<string, Local[]>;
};

/** The inputs of a cost estimate: the value's path in the object, its type, and its size if known. */
export type CostNode = {
  readonly path: DataPath | undefined;
  readonly type: Type;
  readonly expr: Expr | undefined;
  readonly size: Range | undefined;
};

export function newCoster(
  { types, names }: Pick<Coster, "types" | "names">,
  root: ValueType,
  rules: EstimateRules,
): Coster {
  return { rules, types, names, root, paths: new Map(), sizes: new Map(), entries: new Map(), locals: new Map() };
}

export function typeIn(coster: Coster, expr: Expr): Type {
  return coster.types.get(expr) ?? DYN;
}

export function findLocal(coster: Coster, name: string): Local | undefined {
  return coster.locals.get(name)?.at(-1);
}

export function pushLocal(coster: Coster, name: string, local: Local): void {
  const known = coster.locals.get(name);
  if (known) known.push(local);
  else coster.locals.set(name, [local]);
}

export function popLocal(coster: Coster, name: string): void {
  coster.locals.get(name)?.pop();
}

export function pathIn(coster: Coster, expr: Expr): DataPath {
  const name = coster.names.get(expr);
  const local = name === undefined ? undefined : findLocal(coster, name);
  return local?.path ?? coster.paths.get(expr) ?? NO_PATH;
}

export function entriesIn(coster: Coster, expr: Expr): Entries | undefined {
  if (!coster.rules.tracksEntries) return undefined;
  const known = coster.entries.get(expr);
  if (known) return known;
  const name = coster.names.get(expr);
  return name === undefined ? undefined : findLocal(coster, name)?.entries;
}

export function joinEntries(a: Entries | undefined, b: Entries | undefined): Entries | undefined {
  return a && b && { isList: a.isList, key: union(a.key, b.key), value: union(a.value, b.value) };
}

export function sizeIn(coster: Coster, expr: Expr): Range | undefined {
  const known = coster.sizes.get(expr) ?? writtenSize(expr);
  if (known) return known;
  const type = typeIn(coster, expr);
  const declared = findDeclaredSize(coster, expr);
  if (declared) {
    coster.sizes.set(expr, declared);
    return declared;
  }
  if (isScalar(type, coster.rules.tracksEntries)) return fixed(1);
  const name = coster.names.get(expr);
  return name === undefined ? undefined : findLocal(coster, name)?.size;
}

function findDeclaredSize(coster: Coster, expr: Expr): Range | undefined {
  const path = pathIn(coster, expr);
  return coster.rules.tracksEntries || !isBuilt(path) ? declaredSize(coster, path) : undefined;
}

/** Is it a macro's accumulator? */
function isBuilt(path: DataPath): boolean {
  return path.length > 0 && [ACCUMULATOR, "__result__"].includes(path.steps[0] ?? "");
}

export function sizeOrUnknown(coster: Coster, expr: Expr): Range {
  return sizeIn(coster, expr) ?? UNKNOWN_SIZE;
}

export function copySizes(to: Expr, from: Expr, coster: Coster): void {
  const size = sizeIn(coster, from);
  const entries = entriesIn(coster, from);
  if (size) coster.sizes.set(to, size);
  if (entries) coster.entries.set(to, entries);
}

/** A node as an input of a call's estimate; a macro's accumulator has no path in the object. */
export function costNode(coster: Coster, expr: Expr): CostNode {
  const path = pathIn(coster, expr);
  return { path: isBuilt(path) ? undefined : path, type: typeIn(coster, expr), expr, size: sizeIn(coster, expr) };
}

function writtenSize(expr: Expr): Range | undefined {
  if (expr.op === "list") return fixed(expr.items.length);
  if (expr.op === "map") return fixed(expr.entries.length);
  if (expr.op !== "literal") return undefined;
  return fixed(typeof expr.value === "string" ? [...expr.value].length : actualSize(expr.value));
}

/** The most elements that the schema allows for the value at a path. */
export function declaredSize(coster: Coster, path: DataPath): Range | undefined {
  if (path.length === 0) return undefined;
  let here: ValueType | undefined = coster.root;
  for (const step of collectSteps(path).slice(1)) {
    here = below(here, step);
    if (here === undefined) return undefined;
  }
  return { min: 0, max: here.most };
}

function below(value: ValueType, step: string): ValueType | undefined {
  if (step === "@items" || step === "@values") return value.element;
  return step === "@keys" ? value.key : value.fields?.get(step);
}

const SCALARS = new Set(["bool", "double", "duration", "int", "timestamp", "uint"]);

function isScalar(type: Type, looksIntoOptionals: boolean): boolean {
  if (type.kind !== "opaque" || type.name !== "optional_type") return SCALARS.has(type.kind);
  return looksIntoOptionals && type.parameters[0] !== undefined && isScalar(type.parameters[0], true);
}
