import assert from "node:assert/strict";
import { test } from "node:test";
import {
  byTarget,
  describeApplyOfRemoved,
  describeReason,
  describeUpdate,
  risks,
} from "../../src/checks/crd-skew/risks.ts";
import {
  areUnmergeable,
  describeFrozenWrites,
  describeRejectedWrites,
  describeRejecting,
  describeSourceApiServers,
  describeStatusWriters,
  describeThrough,
  describeUnreadable,
} from "../../src/checks/crd-skew/write-texts.ts";
import { buildContext, type Finding } from "../../src/model/check.ts";
import { release, version } from "../support/fixtures.ts";

type Detail = Readonly<Record<string, string>>;

function buildFinding(message: string, path?: string, detail: Detail = {}): Finding {
  const object = { apiVersion: "example.com/v1", kind: "Widget", name: "a" };
  return { risk: "A", object, message, detail, path };
}

const build = (source: string, target: string, crdFolder?: string) =>
  buildContext(version(source), release(target, { crdFolder }), new Date(0));

test("names what replaces the definitions", () => {
  assert.equal(describeUpdate(build("4.18.5", "4.19.2")), "Updating to 4.19.2");
  assert.equal(describeUpdate(build("4.19.2", "4.18.5")), "Rolling back to 4.18.5");
  assert.equal(describeUpdate(build("4.19.2", "4.18.5", "crds/")), "Applying crds/");
  const remediation = byTarget("of a release", "of a folder");
  assert.ok(typeof remediation === "function");
  assert.equal(remediation(build("4.18.5", "4.19.2")), "of a release");
  assert.equal(remediation(build("4.18.5", "4.19.2", "crds/")), "of a folder");
});

test("quotes the reason that all findings share, or the first, in at most 240 characters", () => {
  const words = (count: number): string => Array.from({ length: count }, () => "abcd").join(" ");
  const table: readonly (readonly [messages: readonly string[], text: string])[] = [
    [["It is odd."], ": it is odd"],
    [["It is odd.", "It is odd."], ": it is odd"],
    [["It is odd.", "It is old."], ", the first because it is odd"],
    [["v1.2 is odd.."], ": v1.2 is odd."],
    [[`${words(48)}.`], `: ${words(48)}`],
    [["a".repeat(240)], `: ${"a".repeat(240)}`],
    [["a".repeat(241)], `: ${"a".repeat(240)} (shortened)`],
    [[`${words(49)}.`], `: ${words(48)} (shortened)`],
    [[`${words(47)},   ${words(5)}`], `: ${words(47)} (shortened)`],
    [[`${words(47)};  ${"b".repeat(9)}`], `: ${words(47)} (shortened)`],
  ];
  for (const [messages, text] of table)
    assert.equal(describeReason(messages.map((message) => buildFinding(message))), text);
});

test("says what the API servers of the source refuse until they are replaced", () => {
  const refuse = (text: string) =>
    `; until its API servers are replaced, those of ${text} refuse every write to these objects`;
  assert.equal(describeSourceApiServers(build("4.16.5", "4.17.2")), refuse("4.16.5"));
  assert.equal(describeSourceApiServers(build("4.17.5", "4.18.2")), "");
  assert.equal(describeSourceApiServers(build("4.16.5", "4.17.2", "crds/")), "");
});

test("says who writes the fields of a status", () => {
  const by = "written by the operator itself, which then fails to update its status";
  const table: readonly (readonly [paths: readonly (string | undefined)[], text: string])[] = [
    [["spec.a"], ""],
    [[undefined], ""],
    [["statuses"], ""],
    [["spec.status"], ""],
    [["status"], `; these fields are ${by}`],
    [["status.a", "status[0]"], `; these fields are ${by}`],
    [["status.a", "spec.a"], `; those under status are ${by}`],
    [["status.a", undefined], `; those under status are ${by}`],
  ];
  for (const [paths, text] of table)
    assert.equal(describeStatusWriters(paths.map((path) => buildFinding("", path))), text, paths.join());
});

test("says what fails by what the findings are, all of them or some", () => {
  const one = { kind: "other" };
  const other = { kind: "invalid", effect: "ratcheted" };
  const writes = "replacement, patch and server-side apply that keeps these values, including those of operators";
  const compared = "since rules compare with the stored value; creates with";
  const nor = (which: string) =>
    ` Nor can it read ${which}: gets and deletions fail too, and so does every list of the whole kind.`;
  const apply = (which: string) =>
    `replacements and patches that leave these fields unchanged still pass, but every server-side apply ${which} fails until a replacement or a patch corrects the value;`;
  const table: readonly (readonly [
    describe: (findings: readonly Finding[]) => unknown,
    detail: Detail,
    none: unknown,
    some: unknown,
    all: unknown,
  ])[] = [
    [
      describeRejectedWrites,
      { kind: "transition" },
      `every create, ${writes}`,
      `every ${writes}, ${compared} values that such rules alone refuse pass`,
      `every ${writes}, ${compared} these values pass`,
    ],
    [
      describeUnreadable,
      { effect: "unreadable" },
      "",
      nor("those whose embedded metadata is not an object"),
      nor("these objects"),
    ],
    [areUnmergeable, { kind: "unmergeable" }, false, false, true],
    [
      describeFrozenWrites,
      { effect: "applyRefused" },
      "replacements, patches and server-side applies that leave these fields unchanged still pass, but",
      apply("of those with a value that it can't convert"),
      apply("of these objects"),
    ],
  ];
  for (const [describe, detail, none, some, all] of table) {
    const is = buildFinding("", "a", detail);
    const isNot = [one, other].map((odd) => buildFinding("", "a", odd));
    assert.deepEqual(describe(isNot), none);
    assert.deepEqual(describe([...isNot, is]), some);
    assert.deepEqual(describe([is, is]), all);
  }
  assert.equal(describeApplyOfRemoved([buildFinding("")]), "");
  const applies = describeApplyOfRemoved([buildFinding(""), buildFinding("", "", { effect: "applyRefused" })]);
  assert.match(applies, /^, and every server-side apply of an object with managed fields in a removed version fails /);
});

test("prints the commands that change or show what is found", () => {
  const context = build("4.18.5", "4.19.2");
  const commands = (name: string, finding: Finding): readonly string[] => {
    const risk = risks.find((one) => one.name === name);
    return [...(risk?.fix?.(finding, context) ?? []), ...(risk?.see?.(finding, context) ?? [])];
  };
  const edit = "oc edit widget.example.com/a";
  assert.deepEqual(commands("CustomResourceInvalid", buildFinding("", "spec.a")), [edit]);
  assert.deepEqual(commands("CustomResourceInvalid", buildFinding("")), [edit]);
  assert.deepEqual(commands("CustomResourceInvalid", buildFinding("", "status.a")), []);
});

test("says what rejects objects", () => {
  const describe = (...details: readonly Detail[]): string =>
    describeRejecting(details.map((detail) => buildFinding("a", "b", detail)));
  const cause = { cause: "apiServer" };
  assert.match(describe(cause, cause), /^replaces the API servers/);
  assert.match(describe(cause, {}), /^replaces CRDs/);
});

test("says through which versions writes fail, if a kind has several", () => {
  const inVersions = (...lists: readonly string[]): string =>
    describeThrough(lists.map((versions) => buildFinding("a", "b", versions === "" ? {} : { versions })));
  assert.deepEqual(
    [inVersions("", ""), inVersions("v1,v1beta1"), inVersions("v1", "v1"), inVersions("v1", "")],
    ["", " through v1 or v1beta1", " through v1", " through the version that is named"],
  );
});
