import { strict as assert } from "node:assert";
import { describe, test } from "node:test";
import { compileCheck } from "../../../src/data-checks/compile/compile.ts";

const LATE = "now > timestamp('2030-01-01T00:00:00Z')";

function findMessageFaults(message: string): readonly string[] {
  const { faults } = compileCheck({
    metadata: { name: "sample" },
    spec: {
      title: "T",
      applies: { updates: ["minor"] },
      variables: [
        { name: "year", expression: "now.getFullYear()" },
        { name: "isLate", expression: LATE },
        { name: "next", expression: "[year].map(x, x + 1)[0]" },
      ],
      notices: [{ message }],
    },
  });
  return faults.map(({ place, message: text, span }) => {
    const marked = span === undefined ? "" : message.slice(span.start, span.end);
    return `${place.join(".")} [${marked}] ${text}`;
  });
}

describe("a text", () => {
  const timed = (marked: string): string =>
    `spec.notices.0.message [${marked}] this text changes with the time, though the cluster stays the same`;
  const rows: readonly (readonly [message: string, ...marked: readonly string[]])[] = [
    ["It is ${target.minor}."],
    ["It is ${string(now)}.", "string(now)"],
    ["It is ${1} and ${year}.", "year"],
    ["It is ${next}.", "next"],
    ["It is ${isLate}."],
    [`It is \${${LATE}}.`],
    [`It is \${${LATE} ? 'late' : 'early'}.`],
    [`It is \${${LATE} ? string(year) : 'early'}.`, `${LATE} ? string(year) : 'early'`],
    [`It is \${${LATE} ? 'late' : string(year)}.`, `${LATE} ? 'late' : string(year)`],
    ["It is ${[1].exists(x, x < year)}."],
    ["It is ${[1, 2].map(x, x + year)}.", "[1, 2].map(x, x + year)"],
    ["It is ${year == 2030 || !isLate}."],
    ["It is ${[year, 1]}.", "[year, 1]"],
  ];
  for (const [message, ...marked] of rows) {
    test(`"${message}" ${marked.length === 0 ? "stays the same" : "changes with the time"}`, () => {
      assert.deepEqual(findMessageFaults(message), marked.map(timed));
    });
  }
});
