import assert from "node:assert/strict";
import { cpSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { type CommandResult, runWords } from "../../../support/cli/run-words.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder();
const original = join(folder, "original");
before(async () => void (await runWords("checks", "new", "widget-drivers", original)));

/** A copy of the check that preflight writes, in which a test may change files. */
function copyCheck(name: string): string {
  const copy = join(folder, name);
  cpSync(original, copy, { recursive: true });
  return copy;
}

function edit(file: string, part: string | RegExp, by: string): void {
  const text = readFileSync(file, "utf8");
  const changed = text.replace(part, () => by);
  assert.notEqual(changed, text);
  writeFileSync(file, changed);
}

function runTests(...words: readonly string[]): Promise<CommandResult> {
  return runWords("checks", "test", ...words);
}

test("a check that preflight wrote passes its cases, which decide every part of it", async () => {
  const { code, out, err } = await runTests(original);
  assert.deepEqual(out.split("\n"), [
    `widget-drivers (${original}/check.yaml)`,
    "  ok        clear-other-drivers",
    "  ok        not-applicable-no-widgets",
    "  ok        risk-legacy-driver",
    "  ok        unknown-forbidden",
    "",
  ]);
  assert.deepEqual([code, err], [0, "4 of 4 cases passed.\n"]);
});

test("what a case does not expect is shown line by line", async () => {
  const check = copyCheck("different");
  edit(join(check, "check.yaml"), "The driver is legacy.", "It is old.");
  const { code, out } = await runTests(check);
  assert.equal(code, 3);
  assert.match(
    out,
    /DIFFERS {3}risk-legacy-driver\n.*\n(?:.*\n)* +- {7}message: The driver is legacy\.\n +\+ {7}message: It is old\.\n/,
  );
});

test("--update writes what the check reports, and keeps the rest of the case", async () => {
  const check = copyCheck("updated");
  edit(join(check, "check.yaml"), "The driver is legacy.", "It is old.");
  const file = join(check, "cases", "risk-legacy-driver.yaml");
  const before = readFileSync(file, "utf8");
  linkSync(file, join(check, "earlier"));
  const { code, out } = await runTests(check, "--update");
  assert.equal(code, 0);
  assert.match(out, /^ {2}updated {3}risk-legacy-driver$/m);
  assert.equal(readFileSync(file, "utf8"), before.replace("The driver is legacy.", "It is old."));
  // The case is whole at any time, since a new file replaces it.
  assert.equal(readFileSync(join(check, "earlier"), "utf8"), before);
  assert.equal((await runTests(check)).code, 0);
});

test("a case whose outcome is not that of its name is named", async () => {
  const check = copyCheck("misnamed");
  edit(join(check, "cases", "base.yaml"), "spec: {driver: block}", "spec: {driver: legacy}");
  const { code, out } = await runTests(check, "--update");
  assert.equal(code, 3);
  assert.match(out, /MISNAMED {2}clear-other-drivers\n +its outcome is risk: call it risk-WHY\n/);
});

test("cases that are missing are named", async () => {
  const check = copyCheck("missing");
  for (const name of ["risk-legacy-driver", "unknown-forbidden"]) rmSync(join(check, "cases", `${name}.yaml`));
  const { code, out, err } = await runTests(check);
  assert.equal(code, 3);
  assert.deepEqual(
    out.split("\n").filter((line) => line.includes("MISSING")),
    [
      "  MISSING   no case is called risk-WHY",
      "  MISSING   no case is called unknown-WHY",
      "  MISSING   no case reports the risk WidgetDriversFault",
      "  MISSING   no case has a read that is forbidden ({error: 403 forbidden} at its path)",
    ],
  );
  assert.match(err, /^2 of 2 cases passed, 4 missing/);
});

test("a check that reads ClusterVersion alone needs no forbidden read, without which no check runs", async () => {
  const check = copyCheck("cluster-version");
  const file = join(check, "check.yaml");
  edit(file, "list: example.com/v1/widgets", "get: config.openshift.io/v1/clusterversions\n      name: version");
  edit(file, / +where: object.*\n/, "");
  for (let i = 0; i < 2; i += 1) edit(file, "widgets.items", "dyn([widgets.value()])");
  rmSync(join(check, "cases", "unknown-forbidden.yaml"));
  const { out } = await runTests(check);
  assert.match(out, /no case is called unknown-WHY/);
  assert.doesNotMatch(out, /forbidden \(/);
});

test("a part of an expression that no case decides is shown where it stands", async () => {
  const check = copyCheck("undecided");
  edit(join(check, "check.yaml"), '== "legacy"', '== "legacy" && object.spec.driver.startsWith("leg")');
  const { code, out, err } = await runTests(check);
  assert.equal(code, 0);
  assert.match(
    out,
    /check\.yaml:\d+:\d+: spec\.risks\[0\]\.findings\[0\]\.when: no case decides &&\n.*\n +\| +\^\^ with \|\| instead, all cases report the same/,
  );
  assert.match(err, /1 part of expressions that no case decides\.\n$/);
});

test("--only runs cases by their names, and requires no others", async () => {
  const { code, out } = await runTests(original, "--only", "risk-legacy-driver");
  assert.deepEqual([code, out.split("\n").length], [0, 3]);
  const unknown = await runTests(original, "--only", "risk-legacy-drivers");
  assert.equal(unknown.code, 2);
  assert.match(unknown.err, /no case is called "risk-legacy-drivers": did you mean risk-legacy-driver\?/);
});

test("a check with an error runs no case, and says so with its line", async () => {
  const check = copyCheck("broken");
  edit(join(check, "check.yaml"), "widgets.items", "gadgets.items");
  const { code, out } = await runTests(check);
  assert.equal(code, 3);
  assert.match(out, /check\.yaml:\d+:\d+: /);
  assert.doesNotMatch(out, / ok /);
});

test("-o json has the same for programs", async () => {
  const check = copyCheck("json");
  edit(join(check, "check.yaml"), "The driver is legacy.", "It is old.");
  rmSync(join(check, "cases", "unknown-forbidden.yaml"));
  const { code, out } = await runTests(check, "-o", "json");
  const { checks } = JSON.parse(out);
  assert.deepEqual([code, checks.length, checks[0].check], [3, 1, "widget-drivers"]);
  assert.deepEqual(
    checks[0].cases.map(({ name, state }: { readonly name: string; readonly state: string }) => [name, state]),
    [
      ["clear-other-drivers", "equal"],
      ["not-applicable-no-widgets", "equal"],
      ["risk-legacy-driver", "different"],
    ],
  );
  assert.equal(checks[0].missing.length, 2);
});

test("checks in several folders are tested one after the other, and several in one are refused", async () => {
  const all = join(folder, "all");
  for (const name of ["a", "b"]) cpSync(original, join(all, name), { recursive: true });
  edit(join(all, "b", "check.yaml"), "{name: widget-drivers}", "{name: widgets-b}");
  const { code, out } = await runTests(all);
  assert.equal(code, 3);
  assert.match(out, /^widget-drivers (?:.*\n)+widgets-b /);
  writeFileSync(join(all, "a", "more.yaml"), readFileSync(join(all, "b", "check.yaml"), "utf8"));
  const two = await runTests(all);
  assert.equal(two.code, 1);
  assert.match(two.err, /all\/a has 2 checks: cases\/ belongs to the one check beside it/);
});

test("a case that can't be read is named, with the reason", async () => {
  const check = copyCheck("unreadable");
  writeFileSync(join(check, "cases", "risk-other.yaml"), "sourec: 4.20.3\n");
  const { code, err } = await runTests(check);
  assert.equal(code, 1);
  assert.match(err, /^preflight: reading .*risk-other\.yaml: unknown key sourec: a case has source, /);
});

const FAULTY: readonly (readonly [what: string, file: string, text: string, message: string])[] = [
  [
    "with what only a case expects",
    "base.yaml",
    "expect: {outcome: clear}\n",
    "base.yaml: a base has no expect: it has source, ",
  ],
  ["that is no map", "base.yaml", "- a\n", "base.yaml: a base is one YAML document with keys"],
  ["that is no YAML", "base.yaml", "source: [\n", "base.yaml: line "],
  ["that is absent", "clear-a.yaml", "base: other\n", "base: there is no base-other.yaml beside the case"],
  ["in another folder", "clear-a.yaml", "base: ../other\n", "base: give the NAME of base-NAME.yaml, or none"],
];
for (const [what, file, text, message] of FAULTY)
  test(`a base ${what} is named in one line`, async () => {
    const check = copyCheck(`base ${what}`);
    writeFileSync(join(check, "cases", file), text);
    const { code, out, err } = await runTests(check);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /^preflight: reading [^\n]*\n$/);
    assert.ok(err.includes(`.yaml: ${message}`), err);
  });

test("cases name another base than the others, or none", async () => {
  const check = copyCheck("bases");
  const cases = join(check, "cases");
  const base = readFileSync(join(cases, "base.yaml"), "utf8");
  writeFileSync(join(cases, "base-legacy.yaml"), base.replace("{driver: block}", "{driver: legacy}"));
  writeFileSync(join(cases, "risk-of-another-base.yaml"), "base: legacy\n");
  writeFileSync(
    join(cases, "clear-without-widgets.yaml"),
    `base: none\n${base.replace(/widgets:[^]*/, "widgets: []\n")}`,
  );
  const { code, out } = await runTests(check, "--update");
  assert.equal(code, 0);
  assert.match(out, /updated {3}clear-without-widgets\n/);
  const written = readFileSync(join(cases, "risk-of-another-base.yaml"), "utf8");
  assert.match(written, /^base: legacy\nexpect:\n {2}outcome: risk\n[^]* name: stock\}\n/);
  assert.deepEqual((await runTests(check)).code, 0);
});
