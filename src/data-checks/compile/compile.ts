import type { CompiledExpression } from "../../schema/cel/index.ts";
import type { AppliesDefinition, CheckDefinition, CheckRules } from "../format/definition.ts";
import { BUILT_IN_KINDS } from "../kinds/built-in-kinds.ts";
import type { KindTable } from "../kinds/kind.ts";
import { CLUSTER_FACTS, traceFacts, traceRead } from "./cluster-facts.ts";
import type { DocumentPlace, PlacedFault } from "../format/fault.ts";
import { findOrdinals } from "../format/applies.ts";
import type { Platform } from "../../model/version.ts";
import { type ReadFields, mergeUsedPlaces } from "./fields.ts";
import type { Origin } from "./origin-parts.ts";
import { findAppliesFaults, findAppliesWarnings } from "./applies-faults.ts";
import { findNameWarnings, findRepeatedNames, findValueNames } from "./faults.ts";
import { type Compilation, type NameScope, type Site, compileValue, enter, withName } from "./expressions.ts";
import { type CompiledFact, type CompiledRead, compileFact, compileRead, listObjectTypes, ownObject } from "./reads.ts";
import { type Names, getReadType, listRuleNames } from "./names.ts";
import type { CompiledRisk, CompiledFinding, CompiledNotice, CompiledReason, CompiledUnknown } from "./rules.ts";
import { compileRisk, compileFinding, compileNotice, compileReason, compileUnknown } from "./rules.ts";

/** An expression whose value has a name. `names`: what it sees. */
export type CompiledVariable = { readonly name: string; readonly names: Names; readonly code: CompiledExpression };

/** A check that is ready to be evaluated. `reads`: with those of facts, whose keys begin with "@". */
export type CompiledCheck = {
  /** What rules see, and the conditions of reads. */
  readonly names: Names;
  readonly firstNames: Names;
  readonly reads: readonly CompiledRead[];
  readonly facts: readonly CompiledFact[];
  /** The reads of which rules ask whether they succeeded. */
  readonly asked: ReadonlySet<string>;
  /** The reads of which rules ask whether the API server serves the kind. */
  readonly served: ReadonlySet<string>;
  readonly variables: readonly CompiledVariable[];
  readonly notApplicable: readonly CompiledReason[];
  readonly risks: readonly CompiledRisk[];
  readonly findings: readonly (readonly [risk: string, rules: readonly CompiledFinding[]])[];
  readonly notices: readonly CompiledNotice[];
  readonly unknowns: readonly CompiledUnknown[];
  /** The platform whose minors `ordinal` counts. */
  readonly ordinals: Platform;
  /** By read. */
  readonly fields: ReadonlyMap<string, ReadFields>;
};

const SPEC: DocumentPlace = ["spec"];

/**
 * Compiles every expression and text. With faults the check must not be used. `isSound`: it has been compiled before, without faults.
 * `kinds`: what is known of the fields of objects, which finds more faults, and changes nothing else.
 */
export function compileCheck(
  { spec }: CheckDefinition,
  isSound = false,
  kinds: KindTable = BUILT_IN_KINDS,
): {
  readonly check: CompiledCheck;
  readonly faults: readonly PlacedFault[];
  /** What works, and may not do what is meant. */
  readonly warnings: readonly PlacedFault[];
} {
  const compilation = openCompilation(isSound, spec, kinds);
  const { reads = {}, notApplicable = [], risks = [], notices = [], unknowns = [] } = spec;
  const origin = traceFacts(spec);
  const first = openScope(compilation, selectFirstReads(reads), origin);
  const open = (scope: NameScope): Site => ({ compilation, scope, place: SPEC });
  const ownReads = Object.entries(reads).map(([key, read]) => compileRead(enter(open(first), "reads", key), key, read));
  const start = open({ ...openScope(compilation, reads, origin), tested: compilation.tested });
  const { scope, variables } = compileVariables(start, spec);
  const site = open(scope);
  const rules = {
    notApplicable: notApplicable.map((one, i) => compileReason(enter(site, "notApplicable", i), one)),
    findings: risks.map(({ name, findings }, i) => {
      const compiled = findings.map((one, k) => compileFinding(enter(site, "risks", i, "findings", k), one));
      return [name, compiled] as const;
    }),
    risks: risks.map((one, i) => compileRisk(enter(site, "risks", i), one)),
    notices: notices.map((one, i) => compileNotice(enter(site, "notices", i), one)),
    unknowns: unknowns.map((one, i) => compileUnknown(enter(site, "unknowns", i), one)),
  };
  const facts = Object.keys(CLUSTER_FACTS)
    .filter((name) => compilation.facts.has(name))
    .map((name) => compileFact(compilation, name));
  // Facts come first, as what a check concerns.
  const all = [...new Map(facts.flatMap((fact) => fact.reads.map((read) => [read.key, read]))).values(), ...ownReads];
  const check: CompiledCheck = {
    ...rules,
    names: scope.names,
    firstNames: first.names,
    reads: all,
    facts,
    asked: compilation.asked,
    served: compilation.served,
    variables,
    ordinals: findOrdinals(spec.applies),
    fields: new Map(all.map(({ key }) => [key, mergeFields(compilation, key)])),
  };
  return { check, ...(isSound ? { faults: compilation.faults, warnings: [] } : collectFaults(spec, compilation)) };
}

/** With what the fields are together. */
function collectFaults(
  spec: CheckDefinition["spec"],
  { faults, warnings, named }: Compilation,
): { readonly faults: readonly PlacedFault[]; readonly warnings: readonly PlacedFault[] } {
  const { applies } = spec;
  const ofFields = [...findAppliesFaults(applies), ...findValueNames(spec), ...findRepeatedNames(spec)];
  const unsure = [...findAppliesWarnings(applies), ...warnings, ...findNameWarnings(spec, named)];
  return { faults: dropRepeated([...ofFields, ...faults]), warnings: dropRepeated(unsure) };
}

/** A macro evaluates a part of an expression twice. */
function dropRepeated(faults: readonly PlacedFault[]): readonly PlacedFault[] {
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}

export function openCompilation(
  isSound: boolean,
  { applies, reads = {} }: Pick<CheckRules, "reads"> & { readonly applies: AppliesDefinition } = ANYWHERE,
  kinds: KindTable = BUILT_IN_KINDS,
): Compilation {
  return {
    applies,
    kinds,
    objects: isSound ? new Map() : listObjectTypes(reads, kinds),
    isSound,
    faults: [],
    warnings: [],
    used: [],
    facts: new Set(),
    asked: new Set(),
    served: new Set(),
    named: new Set(),
    tested: new Set(),
  };
}

/** Where the texts of checks in TypeScript apply. */
const ANYWHERE = { applies: { platforms: ["openshift", "kubernetes"] } } as const;

/** What names an object, which every finding does. */
const REFERENCE = [["apiVersion"], ["kind"], ["metadata", "name"], ["metadata", "namespace"]];

function mergeFields({ used }: Compilation, key: string): ReadFields {
  const reference = REFERENCE.map((path) => ({ variable: key, path, isWhole: true }));
  const kept = [...used.filter(({ variable }) => variable === key), ...reference];
  const own = used.filter(({ variable }) => variable === ownObject(key)).map((place) => ({ ...place, variable: key }));
  return { kept: mergeUsedPlaces(kept, key), seen: mergeUsedPlaces([...kept, ...own], key) };
}

/** The reads that the conditions of others may use. */
function selectFirstReads(reads: NonNullable<CheckRules["reads"]>): NonNullable<CheckRules["reads"]> {
  return Object.fromEntries(Object.entries(reads).filter(([, { when }]) => when === undefined));
}

/** The scope of rules without variables. */
function openScope({ objects }: Compilation, reads: NonNullable<CheckRules["reads"]>, facts: Origin): NameScope {
  const origins = Object.entries(reads).map(([key, read]) => [key, traceRead(key, read)] as const);
  return {
    names: listRuleNames(reads),
    types: new Map(Object.entries(reads).map(([key, read]) => [key, getReadType(read, objects.get(key))])),
    origins: new Map([["cluster", facts], ...origins]),
    facts,
    isInScan: false,
    timed: new Set(["now"]),
  };
}

function compileVariables(
  site: Site,
  { variables = [] }: CheckRules,
): { readonly scope: NameScope; readonly variables: readonly CompiledVariable[] } {
  let { scope } = site;
  const compiled = variables.map(({ name, expression }, i): CompiledVariable => {
    const later = variables.slice(i).map((one) => one.name);
    const here = enter({ ...site, scope: { ...scope, later } }, "variables", i, "expression");
    const part = compileValue(here, expression);
    const { names } = scope;
    scope = withName({ ...site, scope }, name, part);
    return { name, names, code: part.code };
  });
  return { scope: { ...scope, later: [] }, variables: compiled };
}
