import { strict as assert } from "node:assert";
import { test } from "node:test";
import { CLUSTER_FACTS } from "../../src/data-checks/compile/cluster-facts.ts";
import { CHECK_FUNCTIONS, CHECK_MACROS } from "../../src/data-checks/functions/table.ts";
import { COMMAND_NAMES, RISK_NAMES, listRuleNames } from "../../src/data-checks/compile/names.ts";
import { FACT_TEXTS, NAME_TEXTS } from "../../tools/pages/check-names.ts";
import { FUNCTION_TEXTS } from "../../tools/pages/function-texts.ts";

const documented = Object.values(FUNCTION_TEXTS).flatMap((texts) => Object.keys(texts));

/** No expression of a check has an authorizer; operators have no names. */
function isForAuthors(name: string): boolean {
  const overloads = CHECK_FUNCTIONS.find(name) ?? [];
  return (
    /^[a-z]/i.test(name) && !name.includes("@") && !overloads.every(({ feature }) => feature.startsWith("authorizer"))
  );
}

test("every function and every macro is documented, and nothing else is", () => {
  const macros = new Set([...CHECK_MACROS.keys()].map((key) => key.replaceAll(/^method |\/\d+$/g, "")));
  const functions = [...CHECK_FUNCTIONS.names].filter((name) => isForAuthors(name) && !macros.has(name));
  const text = documented.join("\n");
  assert.deepEqual(
    functions.filter((name) => !documented.includes(name)),
    [],
  );
  assert.deepEqual(
    [...macros].filter((name) => !text.includes(`${name}(`) && name !== "existsOne"),
    [],
  );
  assert.deepEqual(
    documented.filter((name) => !name.includes("(") && CHECK_FUNCTIONS.find(name) === undefined),
    [],
  );
});

test("every name and every fact of the cluster is documented, and nothing else is", () => {
  const names = [...listRuleNames({}), ...RISK_NAMES.message, ...COMMAND_NAMES].map(([name]) => name);
  const ours = new Set(["object", ...names.filter((name) => !name.startsWith("@"))]);
  assert.deepEqual(Object.keys(NAME_TEXTS).toSorted(), [...ours].toSorted());
  assert.deepEqual(Object.keys(FACT_TEXTS).toSorted(), Object.keys(CLUSTER_FACTS).toSorted());
});
