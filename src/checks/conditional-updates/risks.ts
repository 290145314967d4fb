import type { Finding } from "../../model/check.ts";
import { quoteText } from "../../model/quote.ts";
import { readRisks } from "../shared/risks.ts";
import { summarizeTexts } from "../shared/summaries.ts";

export const risks = readRisks("conditional-updates", {
  ConditionalUpdateRiskApplies: { message: { published: formatRisks } },
});

const MAX_LENGTH = 480;

function formatRisks(findings: readonly Finding[]): string {
  return summarizeTexts(findings, MAX_LENGTH, ({ detail }, longest) => formatRisk(detail ?? {}, longest));
}

function formatRisk({ name = "", message = "", url = "" }: NonNullable<Finding["detail"]>, longest: number): string {
  return `${name} (${quoteText(message, longest)}, ${url})`;
}
