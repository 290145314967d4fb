import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAnnotation, judgeAnnotation } from "../../src/checks/cloud-credentials/check.ts";
import { parseVersion } from "../../src/model/version.ts";

function version(text: string) {
  const parsed = parseVersion(text);
  assert.ok(parsed, text);
  return parsed;
}

test("parses the annotation as the cloud-credential-operator does", () => {
  const read: Readonly<Record<string, string | undefined>> = {
    "4.19": "4.19",
    "v4.19": "4.19",
    "4.19.3": "4.19",
    "4.19.0-rc.1": "4.19",
    "4.19.0+build.7": "4.19",
    "4": "4.0",
    "5.0": "5.0",
    "4.19-rc.1": undefined,
    "4.19.x": undefined,
    "04.19": undefined,
    "4.019": undefined,
    " 4.19": undefined,
    "4.19 ": undefined,
    "vv4.19": undefined,
    "": undefined,
    true: undefined,
  };
  for (const [value, expected] of Object.entries(read)) {
    const minor = parseAnnotation(value);
    assert.equal(minor && `${minor.major}.${minor.minor}`, expected, value);
  }
});

test("compares the annotation with the running release and the target", () => {
  const table = [
    [undefined, "4.18.5", "4.19.1", "refused"],
    ["4.17", "4.18.5", "4.19.1", "refused"],
    ["4.18.99", "4.18.5", "4.19.1", "refused"],
    ["4.19", "4.18.5", "4.19.1", "enough"],
    ["4.20", "4.18.5", "4.19.1", "enough"],
    ["4.18", "4.18.5", "4.20.1", "refused"],
    ["4.19", "4.18.5", "4.20.1", "short"],
    ["4.20", "4.18.5", "4.20.1", "enough"],
    ["4.23", "4.22.5", "5.0.1", "enough"],
    ["5.0", "4.22.5", "4.23.1", "enough"],
    ["4.23", "4.23.5", "5.0.1", "refused"],
    ["5.0", "4.23.5", "5.0.1", "enough"],
    ["5.0", "4.23.5", "5.1.1", "short"],
    ["5.1", "4.23.5", "5.1.1", "enough"],
    ["4.24", "5.0.5", "5.1.1", "refused"],
    ["5.1", "5.0.5", "5.2.1", "short"],
    ["5.2", "5.0.5", "5.2.1", "enough"],
  ] as const;
  for (const [value, source, target, expected] of table)
    assert.equal(
      judgeAnnotation(value, version(source), version(target)),
      expected,
      `${value} from ${source} to ${target}`,
    );
});
