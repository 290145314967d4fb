import { type Json, isList, textAt } from "../../../src/model/json.ts";
import type { Random } from "../random/random.ts";
import { choice } from "./choice.ts";
import { costly, expression, misspell, retype } from "./expressions.ts";
import { type Mutable, type Mutation, type Schema, mutable, schemaPaths, schemasIn, set } from "./schemas.ts";

/** A schema with rules, or any other to add some to, and the names that its rules may use. */
function ruled({ schema, definition }: Schema, random: Random): { schema: Mutable; rules: Mutable[]; names: string[] } {
  const known = schemasIn(definition).filter((one) => isList(one.schema["x-kubernetes-validations"]));
  const at = (random.chance(0.7) ? random.oneOf(known)?.schema : undefined) ?? schema;
  const rules = isList(at["x-kubernetes-validations"]) ? at["x-kubernetes-validations"].map(mutable) : [];
  at["x-kubernetes-validations"] = rules;
  return { schema: at, rules, names: schemaPaths(at) };
}

function changeRule(change: (rule: string, names: readonly string[], random: Random) => string): Mutation {
  return (place, random) => {
    const { rules, names } = ruled(place, random);
    const rule = random.oneOf(rules);
    if (rule === undefined) rules.push({ rule: expression(names, 1 + random.below(3), random), message: "no" });
    else rule["rule"] = change(textAt(rule, "rule") ?? "", names, random);
  };
}

export const ruleSyntax = changeRule((rule, _, random) => misspell(rule, random));
export const ruleTypes = changeRule((rule, names, random) =>
  random.chance(0.2) ? retype(retype(rule, names, random), names, random) : retype(rule, names, random),
);

export const newRule: Mutation = (place, random) => {
  const { rules, names } = ruled(place, random);
  const made = expression(names, 1 + random.below(3), random);
  const rule: Mutable = { rule: random.chance(0.5) ? `type(${made}) == type(${made}) || true` : made, message: "no" };
  if (random.chance(0.2)) rule["messageExpression"] = expression(names, 2, random);
  if (random.chance(0.1)) rule["optionalOldSelf"] = random.chance(0.8);
  rules.push(rule);
};

/** Removes bounds or makes them huge, and adds rules that visit everything. */
export const cost: Mutation = (place, random) => {
  const { rules, names } = ruled(place, random);
  if (random.chance(0.8)) rules.push({ rule: costly(names, random), message: "no" });
  const bounds = ["maxItems", "maxLength", "maxProperties", "enum", "required"];
  const bounded = schemasIn(place.definition).filter(({ schema }) =>
    bounds.some((keyword) => schema[keyword] !== undefined),
  );
  for (let i = random.below(4); i > 0; i--) {
    const at = random.oneOf(bounded)?.schema ?? place.schema;
    const keyword = choice(random, bounds);
    if (random.chance(0.6)) delete at[keyword];
    else if (keyword.startsWith("max")) at[keyword] = choice(random, [0, 1, 10, 1000, 1_000_000, -5]);
  }
};

const RULE_FIELDS: readonly (readonly [string, Json])[] = [
  ["message", " "],
  ["message", "a\nb"],
  ["message", "ok\n"],
  ["message", ""],
  ["rule", " "],
  ["rule", "true"],
  ["rule", "true\n|| false"],
  ["messageExpression", " "],
  ["messageExpression", "'a' + 'b'"],
  ["messageExpression", "1"],
  ["messageExpression", "self +"],
  ["messageExpression", "string(self)"],
  ["reason", "FieldValueForbidden"],
  ["reason", "Nope"],
  ["reason", ""],
  ["fieldPath", ".spec"],
  ["fieldPath", "spec"],
  ["fieldPath", ".none"],
  ["fieldPath", "['a']"],
  ["fieldPath", ".a\n"],
  ["fieldPath", " "],
  ["fieldPath", ".type['a'].b"],
  ["optionalOldSelf", true],
  ["optionalOldSelf", false],
  ["optionalOldSelf", "yes"],
];

export const ruleField: Mutation = (place, random) => {
  const { schema, rules } = ruled(place, random);
  if (rules.length === 0) rules.push({ rule: choice(random, ["true", "self == oldSelf", "has(self.spec)"]) });
  const rule = choice(random, rules);
  const [field, value] = choice(random, RULE_FIELDS);
  set(rule, field, value);
  const name = random.oneOf(Object.keys(mutable(schema["properties"] ?? {})));
  if (field === "fieldPath" && name !== undefined && random.chance(0.5)) rule["fieldPath"] = `.${name}`;
};
