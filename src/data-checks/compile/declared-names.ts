import type { CheckDefinition } from "../definition.ts";
import type { PlacedFault } from "../fault.ts";
import { listRuleNames } from "./names.ts";

type Spec = CheckDefinition["spec"];
type Declared = {
  readonly name: string;
  readonly isRequired: boolean;
  readonly at: Pick<PlacedFault, "place" | "isKey">;
};

function listDeclared({ reads = {}, variables = [] }: Spec): readonly Declared[] {
  return [
    ...Object.entries(reads).map(([name, { required = false }]) => ({
      name,
      isRequired: required,
      at: { place: ["spec", "reads", name], isKey: true as const },
    })),
    ...variables.map(({ name }, i) => ({ name, isRequired: false, at: { place: ["spec", "variables", i, "name"] } })),
  ];
}

/** Two values under one name. */
export function findRepeatedNames(spec: Spec): readonly PlacedFault[] {
  const seen = new Set<string>();
  return listDeclared(spec).flatMap(({ name, at }): readonly PlacedFault[] => {
    const isRepeated = seen.has(name);
    seen.add(name);
    const message = `there is already a read or a variable called ${name}`;
    return isRepeated ? [{ ...at, severity: "error", message, hint: "use another name" }] : [];
  });
}

/** `named`: what expressions use. */
export function findNameWarnings(spec: Spec, named: ReadonlySet<string>): readonly PlacedFault[] {
  const ours = new Set(["object", ...listRuleNames({}).map(([name]) => name)]);
  return listDeclared(spec).flatMap(({ name, isRequired, at }): readonly PlacedFault[] => {
    const hiding = `${name} hides what preflight calls so`;
    const hidden = ours.has(name)
      ? [{ ...at, severity: "warning" as const, message: hiding, hint: "use another name" }]
      : [];
    const unused = `nothing uses ${name}`;
    return named.has(name) || isRequired
      ? hidden
      : [...hidden, { ...at, severity: "warning", message: unused, hint: "leave it out" }];
  });
}
