import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { readFile } from "../support/docs/pages.ts";
import { findWalkFaults, parseWalks } from "../support/docs/walk-faults.ts";

const LONGEST: Readonly<Record<string, number>> = {
  "An object, from the command to the table": 19,
  "A cycle, from its input to its report": 9,
  "An object, through CRD skew": 15,
  "A check that is data, from its file to a finding": 11,
  "A release, from its registry to manifests": 11,
  "A risk, from a check to the document": 7,
  "A document, from its file to ClusterVersion": 13,
  "A setting, from definition to use": 6,
};

const page = readFile("docs/design/walks.md");
const walks = parseWalks(page);

function read(file: string): string | undefined {
  const path = file.replace("<id>", "kubelet-skew");
  return path !== "" && existsSync(path) ? readFile(path) : undefined;
}

test("every step of docs/design/walks.md is called by the step that it names", () => {
  assert.deepEqual(
    walks.flatMap((walk) => findWalkFaults(walk, read)),
    [],
  );
});

test("no walk gets longer", () => {
  assert.deepEqual(
    walks.map(({ title }) => title),
    Object.keys(LONGEST),
  );
  for (const { title, steps } of walks)
    assert.ok(steps.length > 0 && steps.length <= (LONGEST[title] ?? 0), `${title}: ${steps.length} steps`);
});

const PLANTED: readonly (readonly [from: string, to: string, fault: RegExp])[] = [
  ["`src/runner/gather/gather.ts`", "`src/runner/gone.ts`", /does not exist/],
  ["`startReads` hands", "`startAll` hands", /does not define startAll/],
  ["12. `src/cluster", "12. from 3: `src/cluster", /src\/runner\/cycle\.ts does not call sendRequest/],
  ["10. from 7: ", "10. ", /list-parser\.ts does not call attemptGet/],
  ["15. `src", "15. from 12: `src", /send\.ts does not call \.evaluate/],
  ["5. from 2: `src/cli", "5. from 9: `src/cli", /no step above/],
  ["2. `src/cli/session/session.ts` `checkTarget` opens", "2. `src/cli/session/session.ts` opens", /does not exist/],
];

for (const [from, to, fault] of PLANTED)
  test(`a walk with ${to} is false`, () => {
    assert.ok(page.includes(from), from);
    const faults = parseWalks(page.replace(from, to)).flatMap((walk) => findWalkFaults(walk, read));
    assert.match(faults.join("\n"), fault);
  });

test("a step may be called by the entry of its folder", () => {
  const files: Readonly<Record<string, string>> = {
    "src/a.ts": 'import { type B, b } from "./part/index.ts";\nexport function a() {}\n',
    "src/part/index.ts": 'export { c } from "./c.ts";\nexport { type B, b } from "./b.ts";\n',
    "src/part/b.ts": "export function b() {}\n",
    "src/part/c.ts": "export function c() {}\n",
  };
  const walk = (file: string, name: string) =>
    parseWalks(`\n## A walk\n\n1. \`src/a.ts\` \`a\` begins.\n2. \`${file}\` \`${name}\` ends.\n`).flatMap((one) =>
      findWalkFaults(one, (path) => files[path]),
    );
  assert.deepEqual(walk("src/part/b.ts", "b"), []);
  assert.match(walk("src/part/c.ts", "c").join(), /src\/a\.ts does not call c/);
});
