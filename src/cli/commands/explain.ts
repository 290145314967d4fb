import { checks } from "../../checks/index.ts";
import type { Check, RiskText } from "../../model/check.ts";
import { UsageError } from "../../model/errors.ts";
import { joinNames } from "../../model/names.ts";
import { getUnknownRiskName } from "../../model/check.ts";
import type { ExplainValues } from "../definitions/explain.ts";
import type { Io } from "../io.ts";
import { formatDidYouMean } from "../nearest-name.ts";
import { describeCheck, formatPlatforms } from "./list.ts";

/** Finds a check by its id, or by a risk's name (ours or the update service's); letter case does not matter. */
export async function run({ name: query }: ExplainValues, io: Io): Promise<number> {
  const check = checks.find((candidate) =>
    getNames(candidate).some((name) => name.toLowerCase() === query.toLowerCase()),
  );
  if (check === undefined)
    throw new UsageError(
      `no check or risk is called "${query}"${formatDidYouMean(query, checks.flatMap(getNames))}; see 'preflight list'`,
    );
  io.out(formatCheck(check));
  return 0;
}

function getNames(check: Check): readonly string[] {
  const risks = check.risks.flatMap(({ name, published = [] }) => [name, ...published]);
  return [check.id, check.name, getUnknownRiskName(check), ...risks];
}

function formatCheck(check: Check): string {
  const { id, title, applies, unknownRisk, reads, readsKindsOfTarget, onRequest } = describeCheck(check);
  const more = readsKindsOfTarget ? ["  objects of the kinds whose schema the target changes"] : [];
  return [
    `${id}: ${title}`,
    "",
    `Updates: ${applies}`,
    `Platforms: ${formatPlatforms(check)}`,
    ...(onRequest === undefined ? [] : [`Runs only if --only names it. ${onRequest}`]),
    ...check.risks.flatMap(formatRisk),
    "",
    `${unknownRisk}: this check could not be completed`,
    "  The output names what could not be read, and why. The check then says nothing about this update.",
    "",
    "Reads:",
    ...reads.map((path) => `  ${path}`),
    ...more,
    "",
  ].join("\n");
}

function formatRisk({ name, title, remediation, url, liftedAs, published = [] }: RiskText): readonly string[] {
  const otherNames = [
    ...(published.length === 0 ? [] : [`  The update service calls it ${joinNames(published)}.`]),
    ...(liftedAs === undefined ? [] : [`  The cluster-version operator reports it as ${liftedAs} (see --lifted).`]),
  ];
  return ["", `${name}: ${title}`, `  ${remediation}`, `  ${url}`, ...otherNames];
}
