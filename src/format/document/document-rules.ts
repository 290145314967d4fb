import { type WrittenDocument, FURTHER_RISKS } from "../../model/document.ts";
import { compareText } from "../../model/json.ts";
import { MAX_TEXT } from "./budget.ts";
import { countCharacters } from "../../model/text.ts";

/** Violations of the rules that the schema can't express, one line each. `hasLimits`: whether the limits of ClusterVersion hold. */
export function findRuleProblems(document: WrittenDocument, hasLimits: boolean): readonly string[] {
  const names = document.risks.map(({ name }) => name);
  const ids = (document.checks ?? []).map(({ id }) => id);
  return [
    // The risk that counts the others is always last, whatever its name.
    ...findOrderProblems("risks", "name", names.at(-1) === FURTHER_RISKS ? names.slice(0, -1) : names),
    ...findOrderProblems("checks", "id", ids),
    ...findTargetProblems(document),
    ...(hasLimits ? findBudgetProblems(document) : []),
    ...findTimeProblems(document),
    ...findUrlProblems(document),
    ...findContradictions(document),
  ];
}

function findOrderProblems(list: string, key: string, names: readonly string[]): readonly string[] {
  return names.flatMap((name, i) => {
    const before = names[i - 1];
    if (before === undefined || compareText(before, name) < 0) return [];
    const why =
      before === name ? `must be unique: ${name} appears twice` : `must come before ${before}: sorted by ${key}`;
    return [`${list}[${i}].${key}: ${why}`];
  });
}

function findTargetProblems({ targetVersion, risks }: WrittenDocument): readonly string[] {
  return risks.flatMap((risk, i) => {
    const path = `risks[${i}].targetVersion`;
    if (risk.targetVersion === undefined && targetVersion === undefined)
      return [`${path}: is missing, and the document has no targetVersion either`];
    return (risk.targetVersion ?? targetVersion) === targetVersion
      ? []
      : [`${path}: must be the document's targetVersion`];
  });
}

function findBudgetProblems({ risks }: WrittenDocument): readonly string[] {
  const total = risks.reduce((sum, { message, url }) => sum + countCharacters(message) + countCharacters(url), 0);
  if (total <= MAX_TEXT) return [];
  return [`risks: messages and urls must add up to at most ${MAX_TEXT} characters, not ${total}`];
}

function findTimeProblems({ preflightID, observedAt, validUntil, risks }: WrittenDocument): readonly string[] {
  const times: readonly (readonly [string, string | undefined])[] = [
    ["preflightID", preflightID.slice(0, 20)],
    ["observedAt", observedAt],
    ["validUntil", validUntil],
    ...risks.map(
      ({ conditions }, i) =>
        [`risks[${i}].conditions[0].lastTransitionTime`, conditions?.[0].lastTransitionTime] as const,
    ),
  ];
  const wrong = times.flatMap(([path, time]) =>
    time === undefined || isExistingDay(time) ? [] : [`${path}: this date does not exist`],
  );
  const reversed = observedAt !== undefined && validUntil !== undefined && validUntil < observedAt;
  return reversed ? [...wrong, "validUntil: must not be before observedAt"] : wrong;
}

/** The schema's pattern accepts the 31st of February, which a Date turns into a day in March. */
function isExistingDay(time: string): boolean {
  const date = new Date(time);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === time.slice(0, 10);
}

function findUrlProblems({ risks }: WrittenDocument): readonly string[] {
  return risks.flatMap(({ url }, i) =>
    URL.canParse(url) ? [] : [`risks[${i}].url: must be an absolute https:// URL`],
  );
}

/** What a completed document says against itself: nothing of it can be relied on then. */
function findContradictions(document: WrittenDocument): readonly string[] {
  if (document.executionStatus !== "completed") return [];
  const isEmpty = document.checks?.length === 0;
  return [
    ...(isEmpty ? ["checks: must not be empty in a completed document"] : []),
    ...(document.complete === true ? findUnseen(document) : []),
    ...findLostRisks(document),
  ];
}

/** What keeps a document from being complete, although it says that it is. */
function findUnseen({ checks, risks }: WrittenDocument): readonly string[] {
  if (checks === undefined) return ["complete: must not be true without checks"];
  const incomplete = checks.filter(({ outcome, accepted }) => outcome === "unknown" && accepted === undefined);
  const partial = risks.filter(({ conditions }) => conditions?.[0].reason === "PreflightPartial");
  return [
    ...incomplete.map(({ id }) => `complete: must not be true, because the outcome of ${id} is unknown`),
    ...partial.map(({ name }) => `complete: must not be true, because ${name} reports an incomplete check`),
  ];
}

/** A document without room for all risks says so. */
function findLostRisks({ checks = [], risks }: WrittenDocument): readonly string[] {
  const names = new Set(risks.map(({ name }) => name));
  if (names.has(FURTHER_RISKS)) return [];
  return checks.flatMap(({ id, outcome, risks: own = [] }, i) => {
    const lost = own.filter((name) => !names.has(name)).map((name) => `checks[${i}].risks: ${name} is not in risks`);
    const isUnnamed = outcome === "risk" && own.length === 0 && risks.length === 0;
    return isUnnamed ? [`risks: must not be empty, because the outcome of ${id} is risk`] : lost;
  });
}
