import assert from "node:assert/strict";
import { basename } from "node:path";
import { test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { COMPONENT_FAULTS } from "../../verify/play/faults/component-sets.ts";
import { FAULTS } from "../../verify/play/faults/index.ts";
import { COMPONENTS_NOT_SHOWN, NOT_SHOWN } from "../../verify/play/faults/not-shown.ts";
import { listComponentSets } from "../support/examples/component-checks.ts";

/** Played updates read and write the objects of every kind, beside the planted faults. */
const OF_OBJECTS = /^crd-skew CustomResource/;

test("each risk of each check is played, or the page says why an API server can't show it", () => {
  const shown = new Set(FAULTS.flatMap(({ check, risks }) => risks.map((risk) => `${check} ${risk}`)));
  const notShown = new Map(NOT_SHOWN.map(({ check, risk = "", reason }) => [`${check} ${risk}`, reason]));
  const known = checks.flatMap(({ id, risks }) => risks.map(({ name }) => `${id} ${name}`));
  for (const risk of known) {
    const [check = ""] = risk.split(" ");
    const places = [shown.has(risk), notShown.has(risk), notShown.has(`${check} `), OF_OBJECTS.test(risk)];
    assert.equal(places.filter(Boolean).length, 1, risk);
  }
  assert.deepEqual(
    [...shown].filter((risk) => !known.includes(risk)),
    [],
  );
  const ids = checks.map(({ id }) => id);
  const played = new Set([...FAULTS, ...NOT_SHOWN].map(({ check }) => check));
  assert.deepEqual([...played].toSorted(), ids.toSorted());
});

test("the check of each component is played, or the page says why an API server can't show what it finds", () => {
  const shipped = listComponentSets().flatMap((set) => set.checks.map((folder) => `payload-${basename(folder)}`));
  const played = [...COMPONENT_FAULTS, ...COMPONENTS_NOT_SHOWN].map(({ check }) => check);
  assert.deepEqual(played.toSorted(), shipped.toSorted());
});

test("the reasons are sentences, and faults have names of their own", () => {
  for (const { check, reason } of [...NOT_SHOWN, ...COMPONENTS_NOT_SHOWN]) assert.match(reason, /^[A-Z].*\.$/, check);
  const faults = [...FAULTS, ...COMPONENT_FAULTS];
  assert.equal(new Set(faults.map(({ name }) => name)).size, faults.length);
});
