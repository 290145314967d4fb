import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { KNOWN_BUGS } from "../../src/checks/known-bugs/check.ts";
import dualStack from "../../src/checks/dual-stack/check.ts";
import { OTHER_NAMES } from "../../src/checks/known-bugs/published-names.ts";
import { checks } from "../../src/checks/index.ts";
import { buildNotice, buildUnknownNotice } from "../../src/checks/known-bugs/texts.ts";
import { buildContext } from "../../src/model/check.ts";
import { isList, textAt } from "../../src/model/json.ts";
import { readCase } from "../../src/cases/case-files.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { release, version } from "../support/fixtures.ts";
import { collectPublishedNames } from "../../tools/pages/published-page.ts";
import { SHARED } from "../../verify/api-server/control-plane.ts";

const data = `${SHARED}/data/known-risks.json`;
const ALL = 124;
const LEAST_CONFIRMED = 92;

const accounts = collectPublishedNames(checks);

test("covers every name that the update service has published, and confirms most", () => {
  assert.equal(accounts.length, ALL);
  const confirmed = accounts.filter(({ verdict }) => verdict === "confirmed");
  assert.ok(confirmed.length >= LEAST_CONFIRMED, `${confirmed.length} are confirmed`);
});

test("every other name is possible or announced, with a notice", () => {
  const others = accounts.filter(({ verdict }) => verdict !== "confirmed");
  assert.deepEqual([...new Set(others.map(({ verdict }) => verdict))].toSorted(), ["announced", "possible"]);
  for (const { name, explanation } of others) assert.match(explanation, /^a notice of /, name);
});

/** The notices that cases of dual-stack expect, the only ones beside those of known-bugs that are about published risks. */
const dualStackNotices = caseFiles(dualStack).flatMap((file) => {
  const notices = readCase(file).expect?.["notices"];
  return isList(notices) ? notices.filter((notice) => typeof notice === "string") : [];
});

test("every notice cites the published name, also if its reads failed", () => {
  const context = buildContext(version("4.17.1"), release("4.18.1"), new Date(0));
  for (const bug of KNOWN_BUGS)
    for (const notice of [buildNotice(bug, [], context), buildUnknownNotice(bug, context)])
      for (const name of bug.published) assert.ok(notice.includes(`${name}: https://`) || notice.includes(`${name}, `));
  const names = accounts.map(({ name }) => name);
  for (const notice of dualStackNotices)
    assert.ok(
      names.some((name) => notice.includes(`(${name}: https://`)),
      notice,
    );
});

test("every published name is cited by a risk or a notice", () => {
  const cited = [
    ...KNOWN_BUGS,
    ...checks.flatMap(({ risks }) => risks.flatMap(({ knownAs }) => knownAs ?? [])),
  ].flatMap(({ published = [] }) => published);
  for (const { name } of accounts)
    assert.ok(cited.includes(name) || dualStackNotices.some((notice) => notice.includes(`(${name}: `)), name);
});

test("names of notices of other checks refer to existing checks and have no entry", () => {
  const named = new Set(KNOWN_BUGS.flatMap(({ published }) => published));
  for (const account of OTHER_NAMES) {
    assert.ok(!named.has(account.name), `${account.name} is an entry's too`);
    assert.ok(checks.some(({ id }) => id === account.check));
  }
});

test("covers no other names", { skip: existsSync(data) ? false : `${data} doesn't exist` }, () => {
  const read: unknown = JSON.parse(readFileSync(data, "utf8"));
  assert.ok(isList(read));
  const names = read.flatMap((risk) => textAt(risk, "name") ?? []);
  assert.deepEqual(accounts.map(({ name }) => name).toSorted(), names.toSorted());
});
