import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { type CaseFile, readCase } from "../../../cases/case-files.ts";
import { CASE_PREFIXES, hasForbiddenRead, withExpect, expectOf } from "../../../cases/expectation.ts";
import { type OpenCase, judgeOpenCase, openCase } from "../../../cases/runner.ts";
import { formatYaml } from "../../../encoding/yaml-format.ts";
import type { Check } from "../../../model/check.ts";
import { type Json, type JsonObject, isObject } from "../../../model/json.ts";
import { writeOutputFile } from "../../session/result.ts";

/** What a check reports of a case, beside what the case expects. */
export type CaseResult = {
  readonly name: string;
  readonly open: OpenCase;
  readonly actual: JsonObject;
  readonly state: "equal" | "different" | "updated" | "misnamed";
  /** What is wrong, in lines. */
  readonly lines: readonly string[];
  readonly risks: readonly string[];
  readonly isForbidden: boolean;
};

export async function runCaseFile(file: CaseFile, others: readonly Check[], mayUpdate: boolean): Promise<CaseResult> {
  const one = readCase(file);
  const open = await openCase(one);
  const result = await judgeOpenCase(open, one.check, others);
  const actual = toJson(expectOf(result));
  const shared = {
    name: one.name,
    open,
    actual,
    risks: result.risks.map(({ name }) => name),
    isForbidden: hasForbiddenRead(one),
  };
  const prefix = CASE_PREFIXES[result.outcome.kind];
  if (!one.name.startsWith(prefix))
    return { ...shared, state: "misnamed", lines: [`its outcome is ${result.outcome.kind}: call it ${prefix}WHY`] };
  if (isDeepStrictEqual(actual, one.expect)) return { ...shared, state: "equal", lines: [] };
  if (!mayUpdate) return { ...shared, state: "different", lines: describeDifference(one.expect, actual) };
  await writeOutputFile(one.file, withExpect(await readFile(one.file, "utf8"), expectOf(result)));
  return { ...shared, state: "updated", lines: [] };
}

/** Whether another check says the same of a case. */
export async function isSameReport({ open, actual }: CaseResult, check: Check, others: readonly Check[]) {
  return isDeepStrictEqual(toJson(expectOf(await judgeOpenCase(open, check, others))), actual);
}

function toJson(value: object): JsonObject {
  const json: Json = JSON.parse(JSON.stringify(value));
  return isObject(json) ? json : {};
}

function describeDifference(expected: JsonObject | undefined, actual: JsonObject): readonly string[] {
  if (expected === undefined) return ["it expects nothing yet: write it with --update"];
  return formatDifference(formatYaml({ expect: expected }), formatYaml({ expect: actual }));
}

/** A line of one text, of the other one, or of both. */
type DiffLine = { readonly mark: "-" | "+" | " "; readonly text: string };

/** How many equal lines are shown around those that differ. */
const CONTEXT = 2;

/** The lines that differ, with those around them; "..." stands for the equal ones between. None if the texts are equal. */
export function formatDifference(from: string, to: string): readonly string[] {
  const lines = compareLines(from.trimEnd().split("\n"), to.trimEnd().split("\n"));
  const changed = lines.flatMap(({ mark }, i) => (mark === " " ? [] : [i]));
  const isShown = (at: number): boolean => changed.some((i) => Math.abs(i - at) <= CONTEXT);
  return lines.flatMap(({ mark, text }, i) => {
    if (isShown(i)) return [`${mark} ${text}`.trimEnd()];
    return changed.length > 0 && (i === 0 || isShown(i - 1)) ? ["  ..."] : [];
  });
}

/** By a longest common subsequence. */
function compareLines(from: readonly string[], to: readonly string[]): readonly DiffLine[] {
  const lengths = measureCommon(from, to);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < from.length || j < to.length) {
    const a = from[i];
    const b = to[j];
    if (a !== undefined && a === b) {
      lines.push({ mark: " ", text: a });
      i += 1;
      j += 1;
    } else if (a !== undefined && (b === undefined || at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      lines.push({ mark: "-", text: a });
      i += 1;
    } else {
      lines.push({ mark: "+", text: b ?? "" });
      j += 1;
    }
  }
  return lines;
}

/** Of the lines from i and from j on. */
function measureCommon(from: readonly string[], to: readonly string[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: from.length + 1 }, () => Array.from({ length: to.length + 1 }, () => 0));
  for (let i = from.length - 1; i >= 0; i -= 1)
    for (let j = to.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row === undefined) continue;
      row[j] =
        from[i] === to[j] ? at(lengths, i + 1, j + 1) + 1 : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
    }
  return lengths;
}

function at(lengths: readonly (readonly number[])[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}
