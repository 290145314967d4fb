import assert from "node:assert/strict";
import { test } from "node:test";
import { separateCopies } from "../../../src/manifests/checks/copies.ts";

const build = (file: string, name: string, apiVersion = "apps/v1") => ({
  object: { apiVersion, kind: "Deployment", metadata: { name } },
  locate: () => ({ file, line: 1, column: 1 }),
});
const nameFile = ({ locate }: ReturnType<typeof build>): string => locate().file;

test("each set has one copy of every object, and all sets together have all", () => {
  const { sets, beyond } = separateCopies([build("a", "web"), build("b", "db"), build("c", "web", "apps/v1beta1")]);
  assert.deepEqual(
    sets.map((set) => set.map(nameFile)),
    [
      ["a", "b"],
      ["c", "b"],
    ],
  );
  assert.deepEqual(beyond, []);
});

test("more than ten copies are too many", () => {
  const { sets, beyond } = separateCopies(Array.from({ length: 12 }, (_, i) => build(String(i), "web")));
  assert.deepEqual(
    sets.map((set) => set.map(nameFile).join()),
    ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
  );
  assert.deepEqual(beyond.map(nameFile), ["10", "11"]);
});

test("nothing has no sets", () => assert.deepEqual(separateCopies([]), { sets: [], beyond: [] }));
