import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRecommended, type QuotedRisk } from "../../src/model/cluster-version-risks.ts";

const buildRisk = (name: string): QuotedRisk => ({
  name,
  message: `Fault of ${name}.\n\nMore about it.`,
  url: `https://example.com/${name}`,
});
const RED = buildRisk("Red");
const REDDER = buildRisk("Redder");
const BLUE = buildRisk("Blue");
const RISKS = [RED, REDDER, BLUE];

const quote = ({ message, url }: QuotedRisk): string => `${message} ${url}`;
const older = (risk: QuotedRisk): string =>
  `Exposure to ${risk.name} is unknown due to an evaluation failure: throttled: 18.061µs has elapsed\n${quote(risk)}`;
const newer = ({ name, message, url }: QuotedRisk): string =>
  `Could not evaluate exposure to update risk ${name} (no (monitoring))\n  ${name} description: ${message}\n  ${name} URL: ${url}`;

function parse(status: string, texts: readonly string[], reason = "MultipleReasons"): string {
  return parseRecommended({ status, reason, message: texts.join("\n\n") }, RISKS).join(" ");
}

test("a risk whose text is quoted applies, and one that is not mentioned does not", () => {
  assert.equal(parse("False", [quote(BLUE)], "Blue"), "no no yes");
  assert.equal(parse("False", [quote(RED), quote(BLUE)]), "yes no yes");
});

for (const [wording, format] of Object.entries({ older, newer }))
  test(`a risk that could not be evaluated is unknown in the ${wording} wording, in any place`, () => {
    assert.equal(parse("Unknown", [format(RED)], "EvaluationFailed"), "unknown no no");
    assert.equal(parse("Unknown", [format(REDDER), format(BLUE)], "EvaluationFailed"), "no unknown unknown");
    assert.equal(parse("False", [format(RED), quote(BLUE)]), "unknown no yes");
    assert.equal(parse("False", [quote(RED), format(REDDER), quote(BLUE)]), "yes unknown yes");
  });

test("a message that is not understood to its end clears no risk", () => {
  assert.equal(parse("False", [quote(RED), "Another text."]), "yes unknown unknown");
  assert.equal(parse("False", [older(RED).slice(0, -3)]), "unknown unknown unknown");
  assert.equal(parse("False", [quote(RED), newer(REDDER).slice(0, -3)]), "yes unknown unknown");
  assert.equal(parse("False", [quote(RED), "And 2 more: see riskNames."]), "yes unknown unknown");
  assert.equal(parse("False", [quote(RED), "And 2 more: see risks."]), "yes unknown unknown");
  assert.equal(parse("Unknown", [""], "EvaluationFailed"), "unknown unknown unknown");
});

test("a count of the preflight's own risks, and a text that was cut, are understood", () => {
  const count = "And 2 more of the preflight: see risks.";
  assert.equal(parse("False", [quote(RED), count]), "yes no no");
  assert.equal(parse("False", [quote(RED), `${count} And more.`]), "yes unknown unknown");
  assert.equal(parse("False", [count]), "unknown unknown unknown");
  const long: QuotedRisk = { name: "Long", message: "é".repeat(32_668), url: "https://example.com/Long" };
  const ask = (message: string): readonly string[] =>
    parseRecommended({ status: "False", reason: "MultipleReasons", message }, [long, RED]);
  assert.deepEqual(ask(`${"é".repeat(32_667)}…\n\n${count}`), ["yes", "no"]);
  assert.deepEqual(ask(`${"é".repeat(32_666)}…\n\n${count}`), ["unknown", "unknown"]);
});

test("a status that the message contradicts clears no risk", () => {
  assert.equal(parse("False", [older(RED)]), "unknown unknown unknown");
});

test("the reason names the one risk that applies, whatever the message", () => {
  assert.equal(parse("False", [""], "Blue"), "unknown unknown yes");
  assert.deepEqual(parseRecommended({ status: "False", reason: "Other" }, [RED]), ["yes"]);
  assert.deepEqual(parseRecommended({ status: "Unknown", reason: "Red" }, [RED]), ["unknown"]);
});

test("without a condition nothing is known, and a recommended update has no risk that applies", () => {
  assert.deepEqual(parseRecommended(undefined, RISKS), ["unknown", "unknown", "unknown"]);
  assert.equal(parse("Maybe", [quote(RED)]), "unknown unknown unknown");
  assert.equal(parse("True", ["The update is recommended."], "AsExpected"), "no no no");
});

test("what an earlier preflight wrote into the message is understood", () => {
  assert.equal(parse("False", ["4.18.4 -> 4.18.9: A drain is blocked. https://example.com/", quote(RED)]), "yes no no");
});

test("risks with the same text apply together", () => {
  const risks = [RED, { ...RED, name: "Twin" }];
  assert.deepEqual(parseRecommended({ status: "False", reason: "Red", message: quote(RED) }, risks), ["yes", "yes"]);
});
