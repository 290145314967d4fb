import { ITEMS } from "../../model/needed-fields.ts";
import { type CompiledExpression, type Type, DYN } from "../../schema/cel/index.ts";
import { findMember } from "../kinds/kind.ts";
import type {
  FindingDefinition,
  NotApplicableDefinition,
  NoticeDefinition,
  RuleDefinition,
  UnknownDefinition,
  RiskDefinition,
  RiskTexts,
} from "../format/definition.ts";
import type { DocumentPlace } from "../format/fault.ts";
import { type Template, compileText } from "./template.ts";
import {
  type Site,
  compileCondition,
  compileForEach,
  compileValue,
  enter,
  explainFault,
  refuse,
} from "./expressions.ts";
import { type Names, COMMAND_NAMES, listTextNames } from "./names.ts";
import { type CompiledCommand, compileCommand } from "./commands.ts";
import { findCommandFaults } from "./faults.ts";

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
  const named = object === undefined ? undefined : compileValue(enter(inner, "object"), object);
  judgePath(enter(inner, "path"), path, named?.type ?? inner.scope.types?.get("object"));
  return {
    ...rule,
    object: named?.code,
    path: path === undefined ? undefined : compileText(enter(inner, "path"), path),
    message: compileText(enter(inner, "message"), message),
    detail: Object.entries(detail).map(([name, of]) => [name, compileText(enter(inner, "detail", name), of)] as const),
  };
}

/** A path that is written down leads to a field of the finding's object. A map may name an object without its fields. */
function judgePath(site: Site, path = "", object: Type = DYN): void {
  if (site.compilation.isSound || path.includes("${") || object.kind === "map") return;
  let owner: Type | undefined = object;
  for (const { 0: whole, 1: name = ITEMS, index } of path.matchAll(STEP)) {
    const next: Type | undefined = findMember(owner, name);
    const end = index + whole.length;
    if (next === undefined)
      return explainFault(site, path, {
        kind: "fault",
        message: `there is no field ${name}`,
        of: owner,
        start: end - name.length,
        end,
        isUndecided: false,
      });
    owner = next;
  }
}

/** "spec", ".containers" or "[web]". */
const STEP = /\.?([^.[\]]+)|\[[^\]]*\]/g;

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
    reason,
  };
}

export type CompiledTexts = {
  readonly message: Template;
  readonly remediation: Template;
  readonly see: readonly CompiledCommand[];
  readonly fix: readonly CompiledCommand[];
};

/** The texts and commands of a risk, which see the update and what was found, and nothing that was read. */
export type CompiledRisk = CompiledTexts & {
  readonly definition: RiskTexts;
  /** The same where the control plane is hosted. */
  readonly hosted: CompiledTexts;
};

/** The names of what TypeScript computes for a risk's texts. */
export type ComputedNames = { readonly message: readonly string[]; readonly remediation: readonly string[] };

const NOTHING: ComputedNames = { message: [], remediation: [] };

export function compileRisk(
  { compilation, place }: Omit<Site, "scope">,
  definition: RiskTexts & Partial<RiskDefinition>,
  computed: ComputedNames = NOTHING,
): CompiledRisk {
  const { hosted, findings } = definition;
  const site = { compilation, place };
  compilation.faults.push(...findCommandFaults(definition, place));
  const texts = compileTexts(definition, () => site, computed);
  if (hosted === undefined) return { definition, ...texts, hosted: texts };
  const inner = { compilation, place: [...place, "hosted"] };
  compilation.faults.push(...findCommandFaults({ ...hosted, findings }, inner.place));
  const find = (field: keyof CompiledTexts) => (hosted[field] === undefined ? site : inner);
  return { definition, ...texts, hosted: compileTexts({ ...definition, ...hosted }, find, computed) };
}

function compileTexts(
  { message, remediation, see = [], fix = [] }: RiskTexts,
  findSite: (field: keyof CompiledTexts) => Omit<Site, "scope">,
  computed: ComputedNames,
): CompiledTexts {
  const open = (field: keyof CompiledTexts, names: Names): Site =>
    enter({ ...findSite(field), scope: { names, origins: new Map(), isInScan: false } }, field);
  const compileField = (field: keyof ComputedNames, text: string): Template =>
    compileText(open(field, listTextNames(field, computed[field])), text);
  return {
    message: compileField("message", message),
    remediation: compileField("remediation", remediation),
    see: see.map((one, i) => compileCommand(enter(open("see", COMMAND_NAMES), i), one)),
    fix: fix.map((one, i) => compileCommand(enter(open("fix", COMMAND_NAMES), i), one)),
  };
}
