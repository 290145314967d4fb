import { strict as assert } from "node:assert";
import { test } from "node:test";
import { CHECK_FUNCTIONS, CHECK_MACROS } from "../../src/data-checks/functions/table.ts";
import { type TemplateUse, compileTemplate, formatTemplate } from "../../src/data-checks/compile/template.ts";
import type { Json } from "../../src/model/json.ts";
import { DYN, type Declarations, jsonToValue } from "../../src/schema/cel/index.ts";

const DECLARED: Declarations = { variables: [["object", DYN]], functions: CHECK_FUNCTIONS, macros: CHECK_MACROS };
const OBJECT: Json = {
  name: "a",
  count: 3,
  flag: true,
  names: ["d", "c", "b", "a", "a"],
  long: "x".repeat(310),
  lines: "one\n  two\u202e\tthree",
  spaced: "it's a",
  code: "${object.name}",
  ratio: 0.5,
  map: {},
};

function format(text: string, use?: TemplateUse): string {
  const template = compileTemplate(text, DECLARED);
  if (template.kind === "fault") return `fault: ${text.slice(template.start, template.end)}: ${template.message}`;
  const result = formatTemplate(template, [jsonToValue(OBJECT)], use);
  return result.kind === "text" ? result.text : `${result.kind}: ${result.text}`;
}

const SENTENCES: readonly (readonly [text: string, expected: string])[] = [
  ["", ""],
  ["Plain text, {braces} and $ signs.", "Plain text, {braces} and $ signs."],
  ["It is ${object.name}.", "It is a."],
  ["${object.count} of ${object.count + 1}: ${object.flag}", "3 of 4: true"],
  ["${object.name}${object.name}", "aa"],
  ["${ object.name }", "a"],
  ["${{'}': 'b'}['}']}", "b"],
  ["${'}' + \"${\"}", "}${"],
  ["$${object.name} is ${object.name}", "${object.name} is a"],
  ["$$${object.name}", "$${object.name}"],
  ["${object.names}", "a, b, c and 1 more"],
  ["${[]}", ""],
  ["${object.?name}", "a"],
  ["${object.?name.orValue('')}", "a"],
  ["${object.code}", "${object.name}"],
  ["${object.lines}", "one twoU+202E three"],
  ["${object.long}", `${"x".repeat(300)}...`],
  ["${object.missing}", "error: no such key: missing"],
  ["${object.?missing}", "error: a value can't be part of a sentence"],
  ["${object.ratio}", "error: a value can't be part of a sentence"],
  ["${object.map}", "error: a value can't be part of a sentence"],
  ["${[object.map]}", "error: a value can't be part of a sentence"],
  ["a ${1.5} b", "fault: 1.5: a text can't hold a value of type double"],
  ["a ${{'a': 1}}", "fault: {'a': 1}: a text can't hold a value of type map(string, int)"],
  ["a ${[[1]]}", "fault: [[1]]: a text can't hold a value of type list(list(int))"],
  ["a ${objekt.name} b", "fault: objekt: the name objekt is not declared"],
  ["a ${object.name", "fault: ${: this ${ is not closed by }"],
  ["a ${object.name # }", "fault: ${: this ${ is not closed by }"],
  ["a ${'open}", "fault: ${: this ${ is not closed by }"],
];

for (const [text, expected] of SENTENCES) {
  test(`formats ${JSON.stringify(text)}`, () => assert.equal(format(text), expected));
}

const COMMANDS: readonly (readonly [text: string, expected: string])[] = [
  ["oc get ${object.name}", "oc get a"],
  ["oc get ${object.spaced}", "oc get 'it'\\''s a'"],
  ["oc get ${object.code}", "oc get '${object.name}'"],
  ["oc scale --replicas=${object.count}", "oc scale --replicas=3"],
  ["oc get ${object.long}", `oc get ${"x".repeat(310)}`],
  ["oc get ${object.lines}", "error: a value can't be part of a command"],
  ["oc get ${object.names}", "error: a value can't be part of a command"],
];

for (const [text, expected] of COMMANDS) {
  test(`formats the command ${text}`, () => assert.equal(format(text, "command"), expected));
}
