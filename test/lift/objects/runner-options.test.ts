import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  allowsUnverified,
  parseNodeSelector,
  parseRunnerOptions,
  parseTolerations,
} from "../../../src/lift/objects/preflight-request.ts";

const FORMS = {
  only: "IDs of checks separated by commas",
  skip: "IDs of checks separated by commas",
  lifted: "show or leave",
  "check-timeout": "a duration such as 30s",
  "cycle-timeout": "a duration such as 5m",
  "node-selector": "KEY=VALUE pairs separated by commas",
  tolerations: "KEY[=VALUE][:EFFECT] separated by commas",
  "allow-unverified": "true or false",
} as const;

const LISTS = { valid: ["etcd", "a-1,b", "a,b-2,cc"], invalid: ["", "A", "a b", ",a", "a,", "a,,b", "a,B", "a,bB"] };
const DURATIONS = {
  valid: ["0", "5s", "90s", "1.5h", "1.25h", "10ms", "1h30m15s", "2m"],
  invalid: ["", "5", "00", "s", "1.s", ".5s", "5d", "5s ", " 5s", "5s6"],
};
const VALUES: readonly (readonly [keyof typeof FORMS, Readonly<Record<"valid" | "invalid", readonly string[]>>])[] = [
  ["only", LISTS],
  ["skip", LISTS],
  ["lifted", { valid: ["show", "leave"], invalid: ["", "true", "shown"] }],
  ["check-timeout", DURATIONS],
  ["cycle-timeout", DURATIONS],
  [
    "node-selector",
    {
      valid: ["a=b", "a=", "example.com/a-b.c_D=x,b=Y-1.z_2"],
      invalid: ["", "a", "=b", "a=b,", "a=b,c", "-a=b", "a=-b", "a=b-", "A.com/a=b", "a=b=c", "a=b c"],
    },
  ],
  [
    "tolerations",
    {
      valid: ["a", "a=b", "a=", "a:NoSchedule", "a=b:PreferNoSchedule", "example.com/a=b:NoExecute,c"],
      invalid: ["", "a:", "a:noSchedule", "a=b:NoExecute:NoExecute", "a,", "=b", "a:NoSchedules", "xa b"],
    },
  ],
  ["allow-unverified", { valid: ["true", "false"], invalid: ["", "True", "yes", "falsey"] }],
];

describe("an option of the runner", () => {
  for (const [key, { valid, invalid }] of VALUES) {
    test(`${key} has the form of its flag, or is named with the right one`, () => {
      for (const text of valid)
        assert.deepEqual(parseRunnerOptions({ [key]: text }), { options: { [key]: text }, problems: [] });
      for (const text of invalid)
        assert.deepEqual(parseRunnerOptions({ [key]: text }).problems, [`${key}: "${text}" is not ${FORMS[key]}`]);
    });
  }

  test("is one of the known ones, and a text", () => {
    const given = parseRunnerOptions({ to: "5.2.0", only: "a", skip: 7, lifted: "no" });
    assert.deepEqual(given, { options: { only: "a", lifted: "no" }, problems: ['lifted: "no" is not show or leave'] });
  });
});

test("only an explicit word lets an unverified image run", () => {
  const options = [undefined, {}, { "allow-unverified": "false" }, { "allow-unverified": "true" }];
  assert.deepEqual(options.map(allowsUnverified), [false, false, false, true]);
});

test("a selector gives labels, and tolerations give what a pod's specification has", () => {
  assert.deepEqual(parseNodeSelector("a=b,example.com/c="), { a: "b", "example.com/c": "" });
  assert.deepEqual(parseTolerations("a,b=,c=d:NoExecute,e:NoSchedule"), [
    { key: "a", operator: "Exists" },
    { key: "b", operator: "Equal", value: "" },
    { key: "c", operator: "Equal", value: "d", effect: "NoExecute" },
    { key: "e", operator: "Exists", effect: "NoSchedule" },
  ]);
});
