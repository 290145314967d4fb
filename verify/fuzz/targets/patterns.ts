import assert from "node:assert/strict";
import { formatError } from "../../../src/model/errors.ts";
import { compilePattern, patternFault } from "../../../src/schema/openapi/go-pattern.ts";
import { joinTexts, splitTexts, type FuzzTarget } from "../target.ts";

/** A pattern is compiled or refused, and what is compiled matches any text in the end. */
export const target: FuzzTarget = {
  seeds: [
    ["^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", "a.b-c"],
    ["(?P<a>x)(?P<a>y){2,5}", "xyyy"],
    ["[[:alpha:]]+\\d\\b|\\p{Greek}|[:]", "a1"],
    ["(?i)^(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaa!"],
    ["\\x{10FFFF}\\Q.\\E[^\\n]\\z", "é😀"],
  ].map((texts) => joinTexts(...texts)),
  maxBytes: 256,
  run: (input) => {
    const [pattern = "", text = ""] = splitTexts(input);
    const fault = patternFault(pattern);
    assert.equal(patternFault(pattern), fault);
    if (fault !== undefined) return assert.match(fault, /^error parsing regexp: /);
    const found = tryFind(pattern, text);
    assert.equal(tryFind(pattern, text), found);
  },
};

function tryFind(pattern: string, text: string): boolean | string {
  try {
    return compilePattern(pattern).matcher(text).find();
  } catch (thrown) {
    throw new Error(`${JSON.stringify(pattern)} can't be matched: ${formatError(thrown)}`, { cause: thrown });
  }
}
