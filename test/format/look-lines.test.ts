import assert from "node:assert/strict";
import { test } from "node:test";
import { collectSeen, listChanges, listFound, stampLines } from "../../src/format/comparison/look-lines.ts";
import type { Recheck, RecheckedRisk } from "../../src/format/view/recheck-page.ts";

const OPEN: RecheckedRisk = { name: "A", state: "stillThere", check: "a", isAccepted: false, objects: ["x", "y"] };
const INCOMPLETE: RecheckedRisk = {
  ...OPEN,
  name: "BUnknown",
  state: "unknown",
  objects: [],
  note: "the list was cut",
};

function build(...risks: readonly RecheckedRisk[]): Recheck {
  return { label: "", observedAt: "2026-01-03T10:00:00Z", isAll: true, risks };
}

const first = build(OPEN, INCOMPLETE);

test("the first look tells each risk", () => {
  assert.deepEqual(listFound(first), ["found A: x, y", "unknown BUnknown: the list was cut"]);
});

for (const [name, look, expected] of [
  ["that saw the same tells nothing", first, []],
  [
    "tells what is mended once",
    build({ ...OPEN, objects: ["y"], mended: { count: 1, of: 2, what: "object" } }, INCOMPLETE),
    ["still there A: 1 of 2 objects is mended, left: y"],
  ],
  ["tells what came", build(OPEN, INCOMPLETE, { ...OPEN, name: "C", state: "new" }), ["new C: x, y"]],
  ["tells what is fixed", build({ ...OPEN, state: "fixed" }, INCOMPLETE), ["fixed A: x, y"]],
  ["tells another cause", build(OPEN, { ...INCOMPLETE, note: "no right" }), ["unknown BUnknown: no right"]],
] as const)
  test(`a later look ${name}`, () => {
    assert.deepEqual(listChanges(look, collectSeen(first)), expected);
    const next = build(...look.risks.filter(({ state }) => state !== "fixed").map(settle));
    assert.deepEqual(listChanges(next, collectSeen(look)), []);
  });

/** The same risk in a look after which nothing has changed. */
function settle(risk: RecheckedRisk): RecheckedRisk {
  return { ...risk, mended: undefined, state: risk.state === "unknown" ? "unknown" : "stillThere" };
}

test("each line has the time of its look", () => {
  assert.deepEqual(stampLines(["fixed A"], new Date(0)), ["1970-01-01T00:00:00Z fixed A"]);
});
