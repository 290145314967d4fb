import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { buildContext, type Check } from "../../src/model/check.ts";
import { type Platform, parseMinor } from "../../src/model/version.ts";
import { findNotApplicableReason } from "../../src/runner/updates/applicable-checks.ts";
import { release, version } from "../support/fixtures.ts";

/** The minors in order from 4.0 on. OpenShift 4 ends with 4.23, which shares its position with 5.0. */
const LAST_OF_4 = 23;

function namesOf(place: number): readonly string[] {
  if (place < LAST_OF_4) return [`4.${place}`];
  return place === LAST_OF_4 ? ["4.23", "5.0"] : [`5.${place - LAST_OF_4}`];
}

function placeOf(minor: string): number {
  const { major, minor: number } = parseMinor(minor) ?? assert.fail(`${minor} is no minor`);
  return major === 5 ? LAST_OF_4 + number : number;
}

function speaks(check: Check, from: string, to: string, platform?: Platform): boolean {
  return findNotApplicableReason(check, buildContext(version(from), release(to), new Date(0), platform)) === undefined;
}

/** Updates from one position in the order of minors to another, under every name of both. */
function asksAll(check: Check, from: number, to: number, expected: boolean): void {
  for (const source of namesOf(from))
    for (const target of namesOf(to)) {
      const update = `${source}.4 to ${target}.7`;
      assert.equal(speaks(check, `${source}.4`, `${target}.7`), expected, `${check.id}: ${update}`);
    }
}

const bound = checks.flatMap((check) =>
  check.applies.kind === "crosses" ? [{ check, place: placeOf(check.applies.minor) }] : [],
);

describe("a check for one minor", () => {
  test("is not the only one", () => assert.ok(bound.length >= 4));

  for (const { check, place } of bound) {
    test(`${check.id} reports updates to that minor and past it`, () => {
      for (const [from, to] of [
        [place - 1, place],
        [place - 1, place + 1],
        [place - 2, place],
        [place - 2, place + 2],
      ] as const)
        asksAll(check, from, to, true);
    });

    test(`${check.id} reports no other updates, patch updates or rollbacks`, () => {
      for (const [from, to] of [
        [place - 2, place - 1],
        [place, place + 1],
        [place, place + 2],
        [place - 1, place - 1],
        [place, place],
        [place + 1, place],
        [place, place - 1],
        [place + 1, place - 1],
      ] as const)
        asksAll(check, from, to, false);
    });
  }
});

describe("the end of OpenShift 4", () => {
  const at = (minor: string): Check => {
    const [first] = bound;
    return { ...(first?.check ?? assert.fail("no check is bound to a minor")), applies: { kind: "crosses", minor } };
  };

  test("4.23 and 5.0 are the same boundary", () => {
    for (const minor of ["4.23", "5.0"]) {
      const check = at(minor);
      assert.ok(speaks(check, "4.22.4", "5.0.7"), `${minor}: 4.22 to 5.0`);
      assert.ok(speaks(check, "4.22.4", "4.23.7"), `${minor}: 4.22 to 4.23`);
      assert.ok(speaks(check, "4.21.4", "5.1.7"), `${minor}: 4.21 to 5.1`);
      assert.ok(!speaks(check, "4.23.4", "5.0.7"), `${minor}: 4.23 to 5.0 is the same place`);
      assert.ok(!speaks(check, "5.0.4", "5.1.7"), `${minor}: 5.0 to 5.1`);
      assert.ok(!speaks(check, "4.21.4", "4.22.7"), `${minor}: 4.21 to 4.22`);
      assert.ok(!speaks(check, "5.0.4", "4.22.7"), `${minor}: back to 4.22`);
    }
  });

  test("5.1 follows both", () => {
    const check = at("5.1");
    for (const source of ["4.22.4", "4.23.4", "5.0.4"]) assert.ok(speaks(check, source, "5.1.7"), source);
    assert.ok(!speaks(check, "4.23.4", "5.0.7") && !speaks(check, "5.1.4", "5.2.7"));
  });
});

test("without OpenShift, a boundary is the Kubernetes minor of the OpenShift release", () => {
  const [first] = bound;
  assert.ok(first !== undefined);
  const check: Check = {
    ...first.check,
    platforms: ["openshift", "kubernetes"],
    applies: { kind: "crosses", minor: "5.0" },
  };
  const on = (from: string, to: string): boolean => speaks(check, from, to, "kubernetes");
  assert.ok(on("1.35.2", "1.36.0") && on("1.34.2", "1.37.0"));
  assert.ok(!on("1.36.2", "1.37.0") && !on("1.34.2", "1.35.0") && !on("1.36.0", "1.35.2"));
});
