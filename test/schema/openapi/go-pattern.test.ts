import assert from "node:assert/strict";
import { test } from "node:test";
import { compilePattern, patternFault } from "../../../src/schema/openapi/go-pattern.ts";

test("what Go accepts and RE2JS does not is accepted: groups with one name, and a bracket with a colon", () => {
  for (const pattern of ["(?P<a>x)(?P<a>y)", "x[:]", "(?P<a>x)(?P<a>y)[:]"])
    assert.equal(patternFault(pattern), undefined, pattern);
  assert.ok(compilePattern("^(?<a>x)(?<a>y)$").matches("xy"));
});

test("a pattern with the words of a fault is refused at once, with its own fault", () => {
  for (const words of ["duplicate capture group name", "error parsing regexp: duplicate capture group name: `a`"])
    assert.match(patternFault(`(?P<a>x))${words}`) ?? "", /^error parsing regexp: unexpected \)/);
  assert.match(patternFault("(a`[:]`") ?? "", /^error parsing regexp: missing closing \)/);
});
