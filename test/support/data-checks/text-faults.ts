import { strict as assert } from "node:assert";
import { test } from "node:test";
import { parseChecks } from "../../../src/data-checks/format/parse.ts";

/** A text, and what is said of it: "line:column [marked] place: message (hint)". */
export type FaultyText = readonly [text: string, ...said: readonly string[]];

export async function describeText(text: string): Promise<readonly string[]> {
  const { checks, faults } = await parseChecks({ name: "check.yaml", text });
  return [...faults, ...checks.flatMap((check) => check.faults)].map(
    ({ line, column, length, lineText, place, message, hint }) => {
      const marked = lineText.slice(column - 1, column - 1 + length);
      const about = place === "" ? "" : ` ${place}:`;
      return `${line}:${column} [${marked}]${about} ${message}${hint === undefined ? "" : ` (${hint})`}`;
    },
  );
}

/** `before` stands before each of the texts. */
export function testFaultyTexts(what: string, rows: readonly FaultyText[], before = ""): void {
  test(`${what}: ${rows.length} texts`, async () => {
    const said = await Promise.all(rows.map(async ([text]) => [text, ...(await describeText(`${before}${text}`))]));
    assert.deepEqual(said, rows);
  });
}
