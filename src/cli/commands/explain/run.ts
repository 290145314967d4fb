import { type Check, getUnknownRiskName } from "../../../model/check.ts";
import { UsageError } from "../../../model/errors.ts";
import type { ExplainValues } from "./definition.ts";
import { withCheckSet } from "../../checks/check-set.ts";
import { formatCheck, formatRisk, formatUnknownRisk, formatUnseenRisk, UNSEEN_EXPLANATIONS } from "./pages.ts";
import type { Io } from "../../io/io.ts";
import { formatDidYouMean } from "../../../model/nearest-name.ts";

/** Finds a check by its id, or a risk by its name (ours or the update service's); letter case does not matter. */
export async function run(values: ExplainValues, io: Io): Promise<0> {
  const { name } = values;
  const { checks } = (await withCheckSet(values, io)).checkSet;
  const page = findPage(checks, name.toLowerCase(), Math.min(io.width, 100));
  if (page === undefined)
    throw new UsageError(
      `no check or risk is called "${name}"${formatDidYouMean(name, [...checks.flatMap(getNames), ...UNSEEN_EXPLANATIONS.map((one) => one.name)])}; see 'preflight list'`,
    );
  io.out(page);
  return 0;
}

/** A check may be named like one of its risks, which then is meant. */
function findPage(checks: readonly Check[], name: string, width: number): string | undefined {
  const isName = (candidate: string): boolean => candidate.toLowerCase() === name;
  const risks = checks.flatMap((check) => check.risks.map((risk) => ({ check, risk })));
  const found =
    risks.find(({ risk }) => isName(risk.name)) ??
    risks.find(({ risk }) => risk.knownAs?.published?.some(isName) === true);
  if (found !== undefined) return formatRisk(found.check, found.risk, width);
  const incomplete = checks.find((check) => isName(getUnknownRiskName(check)));
  if (incomplete !== undefined) return formatUnknownRisk(incomplete, width);
  const unseen = UNSEEN_EXPLANATIONS.find((one) => isName(one.name));
  if (unseen !== undefined) return formatUnseenRisk(unseen, width);
  const check = checks.find((candidate) => isName(candidate.id) || isName(candidate.name));
  return check === undefined ? undefined : formatCheck(check, width);
}

function getNames(check: Check): readonly string[] {
  const risks = check.risks.flatMap(({ name, knownAs }) => [name, ...(knownAs?.published ?? [])]);
  return [check.id, check.name, getUnknownRiskName(check), ...risks];
}
