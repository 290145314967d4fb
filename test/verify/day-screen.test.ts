import assert from "node:assert/strict";
import { test } from "node:test";
import { findCard, findNextRisk, findParagraph, readStates } from "../../verify/day/screen.ts";

const FIRST = `Don't update yet. 4.20.8 -> 4.21.3: 2 risks

Effect    Risk              Objects
refused   AdminAckMissing   admin-acks

AdminAckMissing: The operator refuses
  the update.
  Do  Read what each gate
      is about...

NodeUnusable: A node is cordoned.
  Fix (safe)  oc adm uncordon a

Don't update yet. Next: AdminAckMissing. All details: -o wide.
`;

const WIDE = `The update is refused

  AdminAckMissing (takes hours)
    The operator refuses.
      Fix (weakens)  oc patch a
    Do   Read
         what each gate is about.

  NodeUnusable
    A node is cordoned.
`;

test("of a first screen, a risk's paragraph is read, and its commands", () => {
  const said = findParagraph(FIRST, "AdminAckMissing");
  assert.deepEqual([said?.fixes, said?.lines], [[], 4]);
  assert.match(
    said?.text ?? "",
    /^AdminAckMissing: The operator refuses the update\. Do {2}Read what each gate is about\.\.\.$/,
  );
  assert.deepEqual(findParagraph(FIRST, "NodeUnusable")?.fixes, ["oc adm uncordon a"]);
  assert.equal(findParagraph(FIRST, "NodeUn"), undefined);
});

test("of -o wide, all that is indented below its name", () => {
  const said = findCard(WIDE, "AdminAckMissing");
  assert.deepEqual([said?.fixes, said?.lines], [["oc patch a"], 5]);
  assert.match(said?.text ?? "", /Read what each gate is about\.$/);
  assert.equal(findCard(WIDE, "Admin"), undefined);
});

test("the last line says what is next, if anything is", () => {
  assert.equal(findNextRisk(FIRST), "AdminAckMissing");
  assert.equal(findNextRisk("Next: AdminAckMissing.\n\nYou may update.\n"), undefined);
});

test("a second look's table says what became of each", () => {
  const screen = "State         Risk\nstill there   NodeUnusable   a\nfixed         AdminAckMissing   b\n";
  assert.deepEqual(Object.fromEntries(readStates(screen)), { NodeUnusable: "still there", AdminAckMissing: "fixed" });
});
