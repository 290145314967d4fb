import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { CaseFile } from "../../../../cases/case-files.ts";
import { readCase } from "../../../../cases/case-files.ts";
import { CASE_PREFIXES, hasForbiddenRead } from "../../../../cases/coverage.ts";
import { withExpect } from "../../../../cases/expectation-update.ts";
import { expectOf } from "../../../../cases/expectation.ts";
import { type OpenCase, judgeOpenCase, openCase } from "../../../../cases/runner.ts";
import { formatYaml } from "../../../../encoding/yaml-format.ts";
import type { Check } from "../../../../model/check.ts";
import { type Json, type JsonObject, isObject } from "../../../../model/json.ts";
import { writeOutputFile } from "../../../session/print.ts";
import { formatDifference } from "./difference.ts";

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
