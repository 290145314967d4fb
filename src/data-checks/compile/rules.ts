import type { CompiledExpression } from "../../schema/cel/index.ts";
import type { FindingDefinition, NotApplicableDefinition, RuleDefinition, UnknownDefinition } from "../definition.ts";
import type { DocumentPlace } from "../fault.ts";
import type { Template } from "../template.ts";
import { type Compilation, type NameScope, compileCondition, compileForEach, compileValue } from "./expressions.ts";
import { compileText } from "./texts.ts";
import type { Names } from "./names.ts";

/** A rule that may run once for each item of a list, in the order of what it evaluates. `names`: of what follows `forEach`. */
export type CompiledRule = {
  readonly place: DocumentPlace;
  readonly forEach: CompiledExpression | undefined;
  readonly names: Names;
  readonly when: CompiledExpression | undefined;
};

export type CompiledFinding = CompiledRule & {
  readonly object: CompiledExpression | undefined;
  readonly path: Template | undefined;
  readonly message: Template;
  readonly detail: readonly (readonly [name: string, text: Template])[];
};

export type CompiledNotice = CompiledRule & { readonly message: Template };
export type CompiledUnknown = CompiledNotice & { readonly where: Template } & Pick<UnknownDefinition, "reason">;
export type CompiledReason = CompiledRule & { readonly when: CompiledExpression; readonly reason: Template };

export function compileReason(
  compilation: Compilation,
  { names, ...scope }: NameScope,
  place: DocumentPlace,
  { when, reason }: NotApplicableDefinition,
): CompiledReason {
  const inner = { names, ...scope };
  return {
    place,
    names,
    forEach: undefined,
    when: compileCondition(compilation, inner, [...place, "when"], when).code,
    reason: compileText(compilation, inner, [...place, "reason"], reason),
  };
}

function compileRule(
  compilation: Compilation,
  scope: NameScope,
  place: DocumentPlace,
  { forEach, when }: RuleDefinition,
): { readonly rule: CompiledRule; readonly inner: NameScope } {
  const each = forEach === undefined ? undefined : compileForEach(compilation, scope, [...place, "forEach"], forEach);
  const inner = each?.inner ?? scope;
  const condition = when === undefined ? undefined : compileCondition(compilation, inner, [...place, "when"], when);
  return {
    rule: { place, forEach: each?.list.code, names: inner.names, when: condition?.code },
    inner: condition?.after ?? inner,
  };
}

export function compileFinding(
  compilation: Compilation,
  scope: NameScope,
  place: DocumentPlace,
  definition: FindingDefinition,
): CompiledFinding {
  const { rule, inner } = compileRule(compilation, scope, place, definition);
  const { object, path, message, detail = {} } = definition;
  const text = (steps: DocumentPlace, of: string): Template =>
    compileText(compilation, inner, [...place, ...steps], of);
  if (object === undefined && rule.forEach === undefined)
    compilation.faults.push({
      severity: "error",
      place,
      message: "it needs forEach, or the object that has the fault",
    });
  return {
    ...rule,
    object: object === undefined ? undefined : compileValue(compilation, inner, [...place, "object"], object).code,
    path: path === undefined ? undefined : text(["path"], path),
    message: text(["message"], message),
    detail: Object.entries(detail).map(([name, of]) => [name, text(["detail", name], of)] as const),
  };
}

export function compileNotice(
  compilation: Compilation,
  scope: NameScope,
  place: DocumentPlace,
  definition: RuleDefinition & { readonly message: string },
): CompiledNotice {
  const { rule, inner } = compileRule(compilation, scope, place, definition);
  return { ...rule, message: compileText(compilation, inner, [...place, "message"], definition.message) };
}

export function compileUnknown(
  compilation: Compilation,
  scope: NameScope,
  place: DocumentPlace,
  definition: UnknownDefinition,
): CompiledUnknown {
  const { rule, inner } = compileRule(compilation, scope, place, definition);
  const { where, message, reason } = definition;
  return {
    ...rule,
    where: compileText(compilation, inner, [...place, "where"], where),
    message: compileText(compilation, inner, [...place, "message"], message),
    ...(reason === undefined ? {} : { reason }),
  };
}
