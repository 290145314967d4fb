import { strict as assert } from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

const HEADING = /^# /;
const ARROW = " => ";

/** Tests what `judge` says of each line "INPUT => WHAT IS SAID" of a file, whose topics are lines that begin with "# ". UPDATE=1 rewrites it. */
export function testGolden(file: string, judge: (input: string) => string): void {
  if (process.env["UPDATE"] === "1") update(file, judge);
  for (const part of readFileSync(file, "utf8").split(/^# /m).slice(1)) {
    const [topic = "", ...rows] = part.split("\n");
    test(topic, () => {
      for (const row of rows.filter((line) => line !== "")) assert.equal(say(row, judge), row);
    });
  }
}

function say(row: string, judge: (input: string) => string): string {
  const input = row.slice(0, row.lastIndexOf(ARROW));
  return `${input}${ARROW}${judge(input)}`;
}

function update(file: string, judge: (input: string) => string): void {
  const lines = readFileSync(file, "utf8").split("\n");
  const said = lines.map((line) => {
    if (line === "" || HEADING.test(line)) return line;
    return say(line.includes(ARROW) ? line : `${line}${ARROW}`, judge);
  });
  writeFileSync(file, said.join("\n"));
}
