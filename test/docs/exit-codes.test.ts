import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { type Page, readPages } from "../support/docs/pages.ts";

/** The commands of which a page written by hand has a table of exit codes, with words of its own. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  "README.md": ["check", "plan"],
  "docs/administrator.md": ["check"],
  "docs/comparing.md": ["compare"],
  "docs/pipelines.md": ["check", "plan", "fleet"],
};

const TABLE = /^\| exit code[^|]*\|.*\n\|[ |-]*\n(?<rows>(?:\|.*\n)+)/gim;

function findExitCodeFaults({ path, text }: Page): readonly string[] {
  const tables = [...text.matchAll(TABLE)].map(({ groups }) =>
    [...(groups?.["rows"] ?? "").matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, codes = ""]) => codes.split(", ")),
  );
  const names = TABLES[path] ?? [];
  const expected = COMMANDS.filter(({ name }) => names.includes(name)).map(({ exitCodes }) => Object.keys(exitCodes));
  if (tables.length !== Math.min(1, names.length)) return [`${path} has ${tables.length} tables of exit codes`];
  return expected.flatMap((codes) =>
    codes.join() === tables[0]?.toSorted().join() ? [] : [`${path} has not the codes ${codes.join()}`],
  );
}

const pages = readPages().filter(({ path }) => !["CHANGELOG.md", "docs/cli.md", "docs/reliability.md"].includes(path));

test("the tables of exit codes in the pages have the codes of the commands' definitions", () => {
  assert.deepEqual(pages.flatMap(findExitCodeFaults), []);
});

test("a table that lacks a code, has another one, or belongs to no command is found", () => {
  const page = pages.find(({ path }) => path === "docs/comparing.md") ?? { path: "", text: "" };
  const change = (from: RegExp, to: string): number =>
    findExitCodeFaults({ ...page, text: page.text.replace(from, to) }).length;
  assert.equal(change(/^\| 4 \|.*\n/m, ""), 1);
  assert.equal(change(/^\| 4 \|/m, "| 5 |"), 1);
  assert.equal(findExitCodeFaults({ path: "docs/other.md", text: page.text }).length, 1);
});
