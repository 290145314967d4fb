import type { CompiledExpression } from "../../schema/cel/index.ts";
import type {
  FindingDefinition,
  NotApplicableDefinition,
  NoticeDefinition,
  RuleDefinition,
  UnknownDefinition,
} from "../definition.ts";
import type { DocumentPlace } from "../fault.ts";
import type { Template } from "../template.ts";
import { type Site, compileCondition, compileForEach, compileValue, enter, refuse } from "./expressions.ts";
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

export function compileReason(site: Site, { when, reason }: NotApplicableDefinition): CompiledReason {
  return {
    place: site.place,
    names: site.scope.names,
    forEach: undefined,
    when: compileCondition(enter(site, "when"), when).code,
    reason: compileText(enter(site, "reason"), reason),
  };
}

/** `inner`: the place of the rule, where what follows sees its item. */
function compileRule(
  site: Site,
  { forEach, when }: RuleDefinition,
): { readonly rule: CompiledRule; readonly inner: Site } {
  const each = forEach === undefined ? undefined : compileForEach(enter(site, "forEach"), forEach);
  const scope = each?.inner ?? site.scope;
  const condition = when === undefined ? undefined : compileCondition(enter({ ...site, scope }, "when"), when);
  return {
    rule: { place: site.place, forEach: each?.list.code, names: scope.names, when: condition?.code },
    inner: { ...site, scope: condition?.after ?? scope },
  };
}

export function compileFinding(site: Site, definition: FindingDefinition): CompiledFinding {
  const { rule, inner } = compileRule(site, definition);
  const { object, path, message, detail = {} } = definition;
  if (object === undefined && rule.forEach === undefined)
    refuse(site, "it needs forEach, or the object that has the fault");
  return {
    ...rule,
    object: object === undefined ? undefined : compileValue(enter(inner, "object"), object).code,
    path: path === undefined ? undefined : compileText(enter(inner, "path"), path),
    message: compileText(enter(inner, "message"), message),
    detail: Object.entries(detail).map(([name, of]) => [name, compileText(enter(inner, "detail", name), of)] as const),
  };
}

export function compileNotice(site: Site, definition: NoticeDefinition): CompiledNotice {
  const { rule, inner } = compileRule(site, definition);
  return { ...rule, message: compileText(enter(inner, "message"), definition.message) };
}

export function compileUnknown(site: Site, definition: UnknownDefinition): CompiledUnknown {
  const { rule, inner } = compileRule(site, definition);
  const { where, message, reason } = definition;
  return {
    ...rule,
    where: compileText(enter(inner, "where"), where),
    message: compileText(enter(inner, "message"), message),
    ...(reason === undefined ? {} : { reason }),
  };
}
