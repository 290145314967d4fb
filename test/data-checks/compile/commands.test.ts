import { strict as assert } from "node:assert";
import { describe, test } from "node:test";
import { getCommandObject } from "../../../src/data-checks/compile/commands.ts";
import { findCommandFaults } from "../../../src/data-checks/compile/faults.ts";
import { openCompilation } from "../../../src/data-checks/compile/compile.ts";
import { compileRisk } from "../../../src/data-checks/compile/rules.ts";
import type { CommandRule, RiskDefinition } from "../../../src/data-checks/format/definition.ts";
import type { PlacedFault } from "../../../src/data-checks/format/fault.ts";

const TEXTS = {
  name: "A",
  effect: "stuck",
  title: "a",
  url: "https://example.com/",
  message: "m",
  remediation: "r",
} as const;
const FINDINGS = [{ message: "m", detail: { app: "a" } }, { message: "m" }];

function withFix(fix: readonly CommandRule[]): RiskDefinition {
  return { ...TEXTS, findings: FINDINGS, fix, fixKind: "safe" };
}

function format(text: string, { place, severity, message, hint = "", span }: PlacedFault): string {
  const marked = span === undefined ? "" : `[${text.slice(span.start, span.end)}] `;
  return `${severity} ${place.join(".")} ${marked}${message} (${hint})`;
}

const OPERATOR =
  "a command to copy is one command, without pipes, redirection or substitution (write a command for each step)";
const VARIABLE = "a shell puts a variable in its place (write the value, or ${...})";
const HIDDEN = "a command is one line, without hidden characters (leave it out)";
const QUOTED = "[${] a value is quoted already (leave out the quotes around it)";

function taken(mark: string): string {
  return `[${mark}] a shell takes ${mark} for something else (put the word in single quotes)`;
}

describe("the words of a command", () => {
  const rows: readonly (readonly [run: string, ...said: readonly string[]])[] = [
    ["oc get ${object.metadata.name} -n <name-1>"],
    ["oc a | b", `[|] ${OPERATOR}`],
    ["oc a; b", `[;] ${OPERATOR}`],
    ["oc a && b", `[&] ${OPERATOR}`],
    ["oc a > b", `[>] ${OPERATOR}`],
    ["oc a < b", `[<] ${OPERATOR}`],
    ["oc a\nb", `[\n] ${OPERATOR}`],
    ["oc <Name>", `[<] ${OPERATOR}`],
    ["oc '<a>' <a-1> <>", `[<] ${OPERATOR}`],
    ["oc `b`", `[\`] ${OPERATOR}`],
    ["oc $(b)", `[$(] ${OPERATOR}`],
    ['oc "$(b)"', `[$(] ${OPERATOR}`],
    ['oc "`b`"', `[\`] ${OPERATOR}`],
    ["oc '$(b) `|`'"],
    ['oc "| ; "'],
    ['oc "\n"', `[\n] ${HIDDEN}`],
    [String.raw`oc \| b`],
    [String.raw`oc "a\"|" b`],
    [String.raw`oc '\' | b`, `[|] ${OPERATOR}`],
    [String.raw`oc \" | a`, `[|] ${OPERATOR}`],
    ["oc 'a", "['] this quote is not closed (add ')"],
    ['oc "a', '["] this quote is not closed (add ")'],
    ["oc 'a\"", "['] this quote is not closed (add ')"],
    ["oc \"a' b\" 'c'"],
    ['oc "${object.a}"', QUOTED],
    ["oc 'a ${object.a}'", QUOTED],
    ['oc "a" ${object.a} "b"'],
    ["oc $${x}", `[$] ${VARIABLE}`],
    ['oc "$HOME"', `[$] ${VARIABLE}`],
    ["oc '$HOME' '!a' '{a,b}' a!=b {.a}"],
    ["oc --{a,b}=c", taken("{")],
    ["oc {a..z}", taken("{")],
    ["oc !a", taken("!")],
    ['oc "!a"', taken("!")],
    ["oc #a", taken("#")],
    ["oc ~a a~b a#b", taken("~")],
    ["oc a \\", "[\\] it continues the command on the next line (leave it out)"],
    ["oc a\u202E", `[\u202E] ${HIDDEN}`],
    ["oc 'a\u001B[2K'", `[\u001B] ${HIDDEN}`],
    ["oc a \\\nb", `[\\\n] ${HIDDEN}`],
    ["oc ${'|'} a"],
    ["oc ${'}'} | a", `[|] ${OPERATOR}`],
    ["oc ${detail.app} ${x.detail.b} ${mydetail.c}"],
    ["oc ${detail.aap}", "[aap] no finding of this risk has the detail aap (did you mean app?)"],
    ["oc ${detail.?zzzzzz}", "[zzzzzz] no finding of this risk has the detail zzzzzz (add it to the finding's detail)"],
  ];
  for (const [run, ...said] of rows) {
    test(`${JSON.stringify(run)} ${said.length === 0 ? "have no fault" : "have a fault, which is marked"}`, () => {
      const faults = findCommandFaults(withFix([{ run }]), ["risk"]).map((fault) => format(run, fault));
      assert.deepEqual(
        faults,
        said.map((one) => `error risk.fix.0.run ${one}`),
      );
    });
  }

  test("have their faults in conditions and in what shows the fault too", () => {
    const when = "detail.aap == 'a'";
    const risk: RiskDefinition = { ...TEXTS, findings: FINDINGS, see: [{ get: {} }, { when, get: {} }] };
    assert.deepEqual(
      findCommandFaults(risk, ["risk"]).map((fault) => format(when, fault)),
      ["error risk.see.1.when [aap] no finding of this risk has the detail aap (did you mean app?)"],
    );
  });
});

describe("a risk", () => {
  function compile(risk: RiskDefinition, isSound = false) {
    const compilation = openCompilation(isSound);
    const compiled = compileRisk({ compilation, place: ["risk"] }, risk);
    return { compiled, faults: compilation.faults, warnings: compilation.warnings };
  }

  test("has commands of one verb each", () => {
    const oneOf =
      "error risk.fix.0 it must be one of get, describe, edit, delete, patch, label, annotate, scale, restart, run";
    const forEach = `${oneOf} (write a command for each)`;
    const none = `${oneOf} (describe: {} is the command for the finding's object)`;
    const notTrue = "error risk.fix.0.when it must be true or false, not int (compare the value, or ask has(...))";
    const rows: readonly (readonly [
      CommandRule,
      kind: string,
      object: object | undefined,
      ...said: readonly string[],
    ])[] = [
      [{ get: {} }, "form", {}],
      [{ describe: { name: "x" } }, "form", { name: "x" }],
      [{ edit: {}, when: "detail.app == 'a'" }, "form", {}],
      [{ edit: {}, when: "1" }, "form", {}, notTrue],
      [{ patch: { object: { kind: "A" }, spec: { a: 1 } } }, "form", { kind: "A" }],
      [{ patch: { spec: {} } }, "form", {}],
      [{ run: "oc {{a}}" }, "run", undefined],
      [{}, "form", {}, none],
      [{ when: "true" }, "form", {}, none],
      [{ get: {}, edit: {} }, "form", {}, forEach],
      [{ get: {}, run: "oc" }, "run", undefined, forEach],
    ];
    for (const [command, kind, object, ...said] of rows) {
      const { compiled, faults, warnings } = compile({ ...withFix([command]), fixKind: "weakening", fix: [command] });
      const [fix] = compiled.fix;
      assert.equal(fix?.kind, kind);
      assert.deepEqual(fix?.kind === "form" ? getCommandObject(fix.form) : undefined, object);
      assert.equal(fix?.when !== undefined, command.when !== undefined);
      assert.deepEqual(
        [...faults, ...warnings].map((fault) => format("", fault)),
        said,
      );
    }
    const { compiled } = compile(withFix([{ patch: { object: { kind: "A" }, spec: { a: 1 } } }]));
    const [fix] = compiled.fix;
    assert.deepEqual(fix?.kind === "form" ? fix.form : undefined, { patch: { object: { kind: "A" }, spec: { a: 1 } } });
  });

  test("has texts in which each fault is marked", () => {
    const rows: readonly (readonly [message: string, ...said: readonly string[]])[] = [
      ["It is ${target.minor}."],
      ["It is {{a}} and {{b}}.", "warning risk.message [{{a}}] {{ }} is printed as it is (write ${...})"],
      [
        "It is ${nope}.",
        "error risk.message [nope] the name nope is not declared (the texts of a risk know source, target, update, objects, objectCount, details and fixes: say this in a finding's message)",
      ],
      [
        "It is ${objects} and ${crosses('4.x')}.",
        `error risk.message ['4.x'] "4.x" is not a minor version (write two numbers, as in "4.21")`,
      ],
      ["It is ${details[0].app} of ${target.text}."],
      [
        "It is ${target.nope}.",
        "error risk.message [nope] there is no field nope (it has kubernetes, minor, openshift, ordinal, pre, text, version)",
      ],
      ["It is ${target.", "error risk.message [${] this ${ is not closed by } (for a literal ${, write $${)"],
      ["It is ${1.5}.", "error risk.message [1.5] a text can't hold a value of type double (write int(...))"],
      [
        "It is ${target}.",
        "error risk.message [target] a text can't hold a value of type object (name one of its fields)",
      ],
    ];
    const said = rows.map(([message]) => {
      const { faults, warnings } = compile({ ...TEXTS, message, findings: FINDINGS });
      return [message, ...[...faults, ...warnings].map((fault) => format(message, fault))];
    });
    assert.deepEqual(said, rows);
  });
});
