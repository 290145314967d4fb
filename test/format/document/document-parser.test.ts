import assert from "node:assert/strict";
import { test } from "node:test";
import { buildDocument } from "../../../src/format/document/document.ts";
import { parseDocument } from "../../../src/format/document/document-parser.ts";
import { type Json, type JsonObject, listAt, objectAt } from "../../../src/model/json.ts";
import { reportOf, risk, run } from "../../../verify/pages/sample.ts";

const result = { kind: "completed", report: reportOf([risk("Alpha"), risk("Beta"), risk("GammaUnknown")]) } as const;
const { checks: CHECKS = [], ...WRITTEN } = buildDocument({ result, run });
/** Its check names no risks, so that they can be changed alone. */
const VALID: JsonObject = JSON.parse(
  JSON.stringify({
    ...WRITTEN,
    checks: CHECKS.map(({ id, outcome, reason, message }) => ({ id, outcome, reason, message })),
  }),
);
const TIME = "2026-03-01T10:00:00Z";

/** A valid document with the value at a path replaced or removed. */
function changeAt(path: readonly (string | number)[], value?: Json): Json {
  const document = structuredClone(VALID);
  let here: unknown = document;
  for (const step of path.slice(0, -1)) here = Reflect.get(Object(here), step);
  const last = path.at(-1) ?? "";
  if (value === undefined) Reflect.deleteProperty(Object(here), last);
  else Reflect.set(Object(here), last, value);
  return document;
}

async function findProblems(document: Json): Promise<readonly string[]> {
  const read = await parseDocument(JSON.stringify(document));
  return read.kind === "invalid" ? read.problems : [];
}

test("a valid document is parsed without a change", async () => {
  assert.deepEqual(await parseDocument(JSON.stringify(VALID)), { kind: "valid", document: VALID });
});

test("keys that every JavaScript object has are like any other key that nobody knows", async () => {
  for (const key of ["toString", "valueOf", "constructor", "hasOwnProperty"]) {
    const rules = [0, 1].map(() => ({ type: "Always", [key]: "" }));
    const problems = await findProblems(changeAt(["risks", 0, "matchingRules"], rules));
    assert.ok(problems.length > 0, `${key}: equal items are a problem`);
  }
});

test("a risk without rules always applies, and one without a target gets the document's", async () => {
  const proposed = structuredClone(VALID);
  for (const key of ["targetVersion", "matchingRules"])
    for (const one of listAt(proposed, "risks")) Reflect.deleteProperty(Object(one), key);
  assert.deepEqual(await parseDocument(JSON.stringify(proposed)), { kind: "valid", document: VALID });
});

test("a risk without a target is a problem if the document has no target either", async () => {
  const { targetVersion: _, ...untargeted } = VALID;
  const [first] = listAt(VALID, "risks");
  const { targetVersion: __, ...risk } = objectAt(first);
  assert.deepEqual(await findProblems({ ...untargeted, risks: [risk] }), [
    "risks[0].targetVersion: is missing, and the document has no targetVersion either",
  ]);
});

const RISK = {
  name: "Delta",
  message: "m",
  url: "https://docs.example/d",
  targetVersion: "4.20.3",
  matchingRules: [{ type: "Always" }],
};

const ALLOWED: readonly (readonly [string, Json])[] = [
  ["an unknown key", changeAt(["later"], { any: 1 })],
  ["an unknown key of a risk", changeAt(["risks", 0, "severity"], "high")],
  ["an unknown key of a condition", changeAt(["risks", 0, "conditions", 0, "observedGeneration"], 1)],
  ["an unknown key of a check", changeAt(["checks", 0, "seconds"], 1)],
  ["a risk without conditions", changeAt(["risks", 0, "conditions"])],
  ["a message of 1,000 characters, each of two code units", changeAt(["risks", 0, "message"], "🚀".repeat(1_000))],
  ["a name of 128 characters", changeAt(["risks", 0, "name"], `A${"a".repeat(127)}`)],
  [
    "no versions",
    { format: "preflight-v1-json", preflightID: `${TIME}-preflight-unknown`, executionStatus: "failed", risks: [] },
  ],
  ["a prerelease", changeAt(["sourceVersion"], "5.0.0-rc.1+build.7")],
  ["PreflightFurtherRisks as the last risk", changeAt(["risks", 3], { ...RISK, name: "PreflightFurtherRisks" })],
];

for (const [what, document] of ALLOWED) {
  test(`a document may have ${what}`, async () => assert.deepEqual(await findProblems(document), []));
}

const REFUSED: readonly (readonly [Json, RegExp])[] = [
  [changeAt(["format"], "preflight-v2-json"), /^format: must be "preflight-v1-json", not "preflight-v2-json"$/],
  [changeAt(["format"]), /^format: is missing$/],
  [changeAt(["preflightID"]), /^preflightID: is missing$/],
  [changeAt(["executionStatus"]), /^executionStatus: is missing$/],
  [changeAt(["risks"]), /^risks: is missing$/],
  [changeAt(["risks"], {}), /^risks: must be array$/],
  [changeAt(["preflightID"], "today"), /^preflightID: must match .*, not "today"$/],
  [changeAt(["preflightID"], `${TIME}-preflight-4.20`), /^preflightID: must match/],
  [changeAt(["preflightID"], "2026-02-30T10:00:00Z-preflight-4.20.3"), /^preflightID: this date does not exist$/],
  [
    changeAt(["executionStatus"], "done"),
    /^executionStatus: must be one of \["running","completed","failed"\], not "done"$/,
  ],
  [changeAt(["targetVersion"], "4.20"), /^targetVersion: must match/],
  [changeAt(["sourceVersion"], "v4.20.3"), /^sourceVersion: must match/],
  [changeAt(["targetImage"], "a b"), /^targetImage: must match/],
  [changeAt(["targetDigest"], "sha256:12"), /^targetDigest: must match/],
  [changeAt(["complete"], "yes"), /^complete: must be boolean, not "yes"$/],
  [changeAt(["observedAt"], "2026-03-01T10:00:00.5Z"), /^observedAt: must match/],
  [changeAt(["observedAt"], "2026-03-01T10:00:00+00:00"), /^observedAt: must match/],
  [changeAt(["observedAt"], "2026-03-01T24:00:00Z"), /^observedAt: must match/],
  [changeAt(["validUntil"], "2026-02-29T10:00:00Z"), /^validUntil: this date does not exist$/],
  [changeAt(["validUntil"], "2025-03-01T10:00:00Z"), /^validUntil: must not be before observedAt$/],
  [changeAt(["failure"], { reason: "A", message: "b" }), /^failure: must be absent with this executionStatus$/],
  [
    { ...VALID, executionStatus: "failed", failure: { reason: "A b", message: "" } },
    /^failure\.(reason: must match|message: must not be empty)/,
  ],
  [changeAt(["runner"], {}), /^runner\.version: is missing$/],
  [
    changeAt(["risks", 1, "name"], "beta"),
    /^risks\[1\]\.name: must match \^\[A-Z\]\[A-Za-z0-9\]\{0,127\}\$, not "beta"$/,
  ],
  [changeAt(["risks", 1, "name"], "Be-ta"), /^risks\[1\]\.name: must match/],
  [changeAt(["risks", 2, "name"], `Z${"a".repeat(128)}`), /^risks\[2\]\.name: must match .*, not "Za+…"$/],
  [changeAt(["risks", 1, "name"], "Alpha"), /^risks\[1\]\.name: must be unique: Alpha appears twice$/],
  [changeAt(["risks", 0, "name"], "Zeta"), /^risks\[1\]\.name: must come before Zeta: sorted by name$/],
  [changeAt(["risks", 0, "name"], "PreflightFurtherRisks"), /^risks\[1\]\.name: must come before/],
  [changeAt(["risks", 0, "message"], ""), /^risks\[0\]\.message: must not be empty$/],
  [
    changeAt(["risks", 0, "message"], "🚀".repeat(1_001)),
    /^risks\[0\]\.message: must have at most 1000 characters, not/,
  ],
  [changeAt(["risks", 0, "message"]), /^risks\[0\]\.message: is missing$/],
  [changeAt(["risks", 0, "url"], "http://docs.example"), /^risks\[0\]\.url: must match/],
  [changeAt(["risks", 0, "url"], "https://"), /^risks\[0\]\.url: must match/],
  [changeAt(["risks", 0, "url"], "https://[docs"), /^risks\[0\]\.url: must be an absolute https/],
  [changeAt(["risks", 0, "url"], "https://docs.example/a b"), /^risks\[0\]\.url: must match/],
  [
    changeAt(["risks", 0, "url"], `https://docs.example/${"a".repeat(16_000)}`),
    /^risks: messages and urls must add up to at most 16000 characters, not 16\d\d\d$/,
  ],
  [
    changeAt(["risks", 0, "targetVersion"], "4.20.4"),
    /^risks\[0\]\.targetVersion: must be the document's targetVersion$/,
  ],
  [changeAt(["targetVersion"]), /^risks\[0\]\.targetVersion: must be the document's targetVersion$/],
  [changeAt(["risks", 0, "matchingRules"], []), /^risks\[0\]\.matchingRules: must be \[\{"type":"Always"\}\]$/],
  [changeAt(["risks", 0, "matchingRules", 0, "promql"], { promql: "up" }), /^risks\[0\]\.matchingRules: must be/],
  [changeAt(["risks", 0, "conditions"], []), /^risks\[0\]\.conditions: must have at least 1 items$/],
  [
    changeAt(["risks", 0, "conditions", 0, "status"], "Unknown"),
    /^risks\[0\]\.conditions\[0\]\.status: must be "True", not "Unknown"$/,
  ],
  [
    changeAt(["risks", 0, "conditions", 0, "type"], "Recommended"),
    /^risks\[0\]\.conditions\[0\]\.type: must be "Applies"/,
  ],
  [changeAt(["risks", 0, "conditions", 0, "reason"], "Match"), /^risks\[0\]\.conditions\[0\]\.reason: must be one of/],
  [
    changeAt(["risks", 0, "conditions", 0, "lastTransitionTime"]),
    /^risks\[0\]\.conditions\[0\]\.lastTransitionTime: is missing$/,
  ],
  [
    changeAt(["risks", 0, "conditions", 0, "lastTransitionTime"], "2026-02-31T00:00:00Z"),
    /^risks\[0\]\.conditions\[0\]\.lastTransitionTime: this date does not exist$/,
  ],
  [changeAt(["checks", 0, "outcome"], "fine"), /^checks\[0\]\.outcome: must be one of/],
  [changeAt(["checks", 0, "id"], "Sample"), /^checks\[0\]\.id: must match/],
  [changeAt(["checks", 1], { id: "sample", outcome: "clear" }), /^checks\[1\]\.id: must be unique/],
  [changeAt(["checks", 0, "notices"], [""]), /^checks\[0\]\.notices\[0\]: must not be empty$/],
  [[], /^document: must be object$/],
  [null, /^document: must be object, not null$/],
];

for (const [document, problem] of REFUSED) {
  test(`an invalid document is rejected with ${problem.source}`, async () => {
    const problems = await findProblems(document);
    assert.match(problems[0] ?? "", problem);
    assert.equal(problems.length <= 3, true, problems.join("\n"));
  });
}

test("a document with 51 risks is rejected", async () => {
  const risks = Array.from({ length: 51 }, (_, i) => ({ ...RISK, name: `R${String(i + 100)}` }));
  assert.deepEqual(await findProblems(changeAt(["risks"], risks)), ["risks: must have at most 50 items"]);
  assert.deepEqual(await findProblems(changeAt(["risks"], risks.slice(1))), []);
});

test("text that isn't a document is rejected in one line", async () => {
  const why = async (text: string) => {
    const read = await parseDocument(text);
    return read.kind === "invalid" ? read.problems.join("\n") : "valid";
  };
  assert.equal(await why(" \n"), "document: is empty");
  assert.match(await why('{"format": "preflight'), /^document: is not JSON \(.*\)$/);
  assert.match(await why(" ".repeat(5_000_000)), /^document: must be no longer than 4194304 characters$/);
});

test("all problems of a document are listed, up to a limit; a huge document costs little", async () => {
  assert.deepEqual(
    await findProblems({ preflightID: 1 }),
    ["format: is missing"],
    "nothing more is said of another file",
  );
  assert.deepEqual(await findProblems({ format: "preflight-v1-json" }), [
    "preflightID: is missing",
    "executionStatus: is missing",
    "risks: is missing",
  ]);
  const many = await findProblems(
    changeAt(
      ["checks"],
      Array.from({ length: 100 }, () => 0),
    ),
  );
  assert.deepEqual([many.length, many[0], many.at(-1)], [51, "checks[0]: must be object, not 0", "and 50 more"]);
  const huge = await findProblems(
    changeAt(
      ["checks"],
      Array.from({ length: 100_000 }, () => 0),
    ),
  );
  assert.deepEqual(huge, ["checks[0]: must be object, not 0"]);
});

test("control characters of a hostile document can't reach a terminal", async () => {
  const [problem] = await findProblems(changeAt(["format"], "\u001b[2J\u202eevil"));
  assert.equal(problem, 'format: must be "preflight-v1-json", not "U+001B[2JU+202Eevil"');
});
