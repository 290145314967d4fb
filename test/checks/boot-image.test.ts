import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isOlder,
  parseOpenShiftVersion,
  parseRhcosVersion,
  findLimit,
} from "../../src/checks/boot-image-skew/boot-image.ts";
import { version } from "../support/fixtures.ts";

const RHEL = { openshift: [4, 13, 0], rhel: [9, 2] };

const RHCOS: readonly (readonly [text: string, rhel: readonly number[] | undefined])[] = [
  ["9.6.20251023-0", [9, 6]],
  ["10.0.20260101-12", [10, 0]],
  ["48.84.202208021106-0", [8, 4]],
  ["413.92.202305021736-0", [9, 2]],
  ["416.810.202208021106-0", [8, 10]],
  ["48.8.202208021106-0", undefined],
  ["48.04.202208021106-0", undefined],
  ["48.84.2022080211-0", undefined],
  ["9.6.20251023", undefined],
  ["9.6", undefined],
  ["4.18.0", undefined],
  ["", undefined],
];

test("parses the RHEL version from both forms of RHCOS versions, and rejects other strings", () => {
  for (const [text, rhel] of RHCOS)
    assert.deepEqual(parseRhcosVersion(text), rhel === undefined ? undefined : { kind: "rhcos", rhel }, text);
});

test("parses OpenShift versions with three numbers, and rejects other strings", () => {
  assert.deepEqual(parseOpenShiftVersion("4.13.0"), { kind: "openshift", version: [4, 13, 0] });
  for (const text of ["4.13", "v4.13.0", "4.13.0-rc.1", "4.13.0.1", ""])
    assert.equal(parseOpenShiftVersion(text), undefined);
});

test("compares number by number, and accepts the limit itself", () => {
  const older = (text: string): boolean | undefined => {
    const image = parseRhcosVersion(text) ?? parseOpenShiftVersion(text);
    return image && isOlder(image, RHEL);
  };
  assert.deepEqual(["4.12.99", "4.9.0", "3.99.99", "8.10.20240101-0"].map(older), [true, true, true, true]);
  assert.deepEqual(["4.13.0", "4.13.1", "5.0.0", "9.2.20240101-0", "9.10.20240101-0"].map(older), Array(5).fill(false));
});

test("finds the limit of a release by its position in the order of minors", () => {
  const kinds = ["4.21.9", "4.22.0", "4.23.1", "5.0.0", "5.2.9", "5.3.0"].map((text) => findLimit(version(text)).kind);
  assert.deepEqual(kinds, ["none", "known", "known", "known", "known", "newer"]);
});
