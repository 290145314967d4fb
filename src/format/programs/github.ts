import { toLine } from "../../model/visible-text.ts";
import type { Format } from "../view/view.ts";
import { formatAcceptances, getEffect, listRiskEntries, type RiskEntry } from "../view/work-order.ts";

/** Annotations of GitHub Actions: one workflow command for each risk. */
export const formatGithub: Format = (view) =>
  listRiskEntries(view)
    .map((entry) => `::${getLevel(entry)} title=${escapeProperty(entry.risk.name)}::${escapeData(formatText(entry))}\n`)
    .join("");

function getLevel({ risk, isAccepted }: RiskEntry): "error" | "warning" | "notice" {
  if (isAccepted) return "notice";
  return risk.unknown || getEffect(risk) === "broken" ? "warning" : "error";
}

function formatText({ risk, isAccepted, acceptances }: RiskEntry): string {
  return `${isAccepted ? `${formatAcceptances(acceptances, "Accepted.")} ` : ""}${risk.message} ${risk.url}`;
}

/** As the runner's toolkit escapes data; without it, text could begin another command. */
function escapeData(text: string): string {
  return toLine(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
