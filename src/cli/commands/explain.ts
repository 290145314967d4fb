import { type Check, getUnknownRiskName } from "../../model/check.ts";
import { UsageError } from "../../model/errors.ts";
import { UNSEEN_RISK_TITLES } from "../../model/unseen.ts";
import type { ExplainValues } from "./definitions.ts";
import { withCheckSet } from "../checks/check-set.ts";
import {
  formatCheck,
  formatMatches,
  formatRisk,
  formatUnknownRisk,
  formatUnseenRisk,
  type Frame,
  UNSEEN_EXPLANATIONS,
} from "./explain-pages.ts";
import type { Io } from "../io/io.ts";
import { listTargetChecks } from "../target-release/plain-release.ts";
import { formatDidYouMean } from "../../model/text.ts";

/** Finds a check by its id, a risk by its name (ours or the update service's), or both by words; letter case does not matter. */
export async function run(values: ExplainValues, io: Io): Promise<0> {
  const name = values.words.join(" ");
  const checks = await listTargetChecks(await withCheckSet(values, io), io);
  const frame = { width: Math.min(io.width, 100), program: io.program };
  const page = findPage(checks, name.toLowerCase(), frame) ?? findByWords(checks, name, frame);
  if (page === undefined)
    throw new UsageError(
      `no check or risk is called "${name}"${formatDidYouMean(name, [...checks.flatMap(getNames), ...UNSEEN_EXPLANATIONS.map((one) => one.name)])}; see 'preflight list'`,
    );
  io.out(page);
  return 0;
}

/** A check may be named like one of its risks, which then is meant. */
function findPage(checks: readonly Check[], name: string, frame: Frame): string | undefined {
  const isName = (candidate: string): boolean => candidate.toLowerCase() === name;
  const risks = checks.flatMap((check) => check.risks.map((risk) => ({ check, risk })));
  const found =
    risks.find(({ risk }) => isName(risk.name)) ??
    risks.find(({ risk }) => risk.knownAs?.published?.some(isName) === true);
  if (found !== undefined) return formatRisk(found.check, found.risk, frame);
  const incomplete = checks.find((check) => isName(getUnknownRiskName(check)));
  if (incomplete !== undefined) return formatUnknownRisk(incomplete, frame);
  const unseen = UNSEEN_EXPLANATIONS.find((one) => isName(one.name));
  if (unseen !== undefined) return formatUnseenRisk(unseen, frame);
  const check = checks.find((candidate) => isName(candidate.id) || isName(candidate.name));
  return check === undefined ? undefined : formatCheck(check, frame);
}

/** The checks and risks that have every word in their names and titles. */
function findByWords(checks: readonly Check[], text: string, frame: Frame): string | undefined {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return undefined;
  const hasWords = (...texts: readonly string[]): boolean =>
    words.every((word) => texts.some((one) => hasWord(one, word)));
  const found = {
    checks: checks
      .filter(({ id, name, title }) => hasWords(id, name, title))
      .map(({ id, title }) => ({ name: id, title })),
    risks: [
      ...checks.flatMap(({ risks }) =>
        risks.filter(({ name, title, knownAs }) => hasWords(name, title, ...(knownAs?.published ?? []))),
      ),
      ...Object.entries(UNSEEN_RISK_TITLES)
        .map(([name, title]) => ({ name, title }))
        .filter(({ name, title }) => hasWords(name, title)),
    ],
  };
  return found.checks.length + found.risks.length === 0 ? undefined : formatMatches(words, found, frame);
}

/** Whether a word of the text begins so. In a name, each capital letter begins one. */
function hasWord(text: string, word: string): boolean {
  const starts = [...text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]|\p{Lu}/gu)];
  return starts.some(({ index }) => text.slice(index, index + word.length).toLowerCase() === word);
}

function getNames(check: Check): readonly string[] {
  const risks = check.risks.flatMap(({ name, knownAs }) => [name, ...(knownAs?.published ?? [])]);
  return [check.id, check.name, getUnknownRiskName(check), ...risks];
}
