import { type Finding, getUnknownRiskName, sortFindings } from "../model/check.ts";
import type { JudgedAcceptance } from "../model/acceptance.ts";
import type { DocumentRisk, PreflightDocument } from "../model/document.ts";
import { compareText } from "../model/json.ts";
import type { CheckReport, Outcome, Report, ReportRisk } from "../model/report.ts";
import { sortUnknowns } from "./document-checks.ts";
import { buildDocumentRisk, buildRiskTexts } from "./document-risks.ts";
import { findingsOf, getNotices } from "./outcome-contents.ts";
import { getAppliesTimes } from "./carried-over.ts";
import { selectDocumentRisks, type View } from "./view.ts";
import { defined } from "../model/optional.ts";

type JsonView = Pick<View, "document" | "report" | "accepted" | "acceptances" | "cluster">;

/**
 * The document with everything in it: all risks with their whole texts (beyond the limits of v1), all notices, and the findings and
 * unknowns of each check.
 */
export function formatJson({ document, report, accepted, acceptances, cluster }: JsonView): string {
  const checks = report.checks
    .toSorted((a, b) => compareText(a.id, b.id))
    .map((check) => buildCheckJson(check, document));
  const risks = buildWholeRisks(document, report);
  const names = [...accepted].toSorted(compareText);
  const whole = {
    ...document,
    ...defined({ targetImageVerification: report.imageVerification }),
    ...defined({ cluster }),
    risks,
    accepted: names,
    ...defined({ acceptances: acceptances?.map(buildAcceptanceJson) }),
    checks,
    coverage: report.coverage,
  };
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

/** Puts the state beside what was asked for. */
function buildAcceptanceJson({ acceptance, state: { kind, ...details } }: JudgedAcceptance): object {
  return { ...acceptance, state: kind, ...details };
}

/** With what preflight-v1-json does not have, such as the update service's names for the risk. */
type WholeRisk = DocumentRisk & Pick<ReportRisk, "effect" | "leadTime" | "published">;

function buildWholeRisks(document: PreflightDocument, report: Report): readonly WholeRisk[] {
  const [appliesSince, reported] = [getAppliesTimes(document), selectDocumentRisks({ report, document })];
  return buildRiskTexts(reported).map((riskText) => {
    const risk = reported.find(({ name }) => name === riskText.name);
    const { effect, leadTime, published } = risk ?? {};
    return { ...buildDocumentRisk(riskText, report, appliesSince), ...defined({ effect, leadTime, published }) };
  });
}

function buildCheckJson(check: CheckReport, document: PreflightDocument): object {
  const { id, name, title, outcome, omittedFindings } = check;
  const reported = document.checks?.find((one) => one.id === id);
  const notices = getNotices(outcome);
  return {
    ...reported,
    id,
    outcome: outcome.kind,
    title,
    ...(notices.length === 0 ? {} : { notices }),
    findings: sortFindings([...findingsOf(outcome), ...getUnknownFindings(getUnknownRiskName({ name }), outcome)]).map(
      buildFindingJson,
    ),
    ...defined({ omittedFindings }),
    unknowns:
      outcome.kind === "unknown"
        ? sortUnknowns(outcome.unknowns).map(({ reason, where, message }) => ({ reason, where, message }))
        : [],
  };
}

/** Objects that a check could not decide on, as findings. */
function getUnknownFindings(risk: string, outcome: Outcome): readonly Finding[] {
  if (outcome.kind !== "unknown") return [];
  return outcome.unknowns.flatMap(({ at, message }) => (at ? [{ ...at, risk, message }] : []));
}

/** Puts keys in a fixed order. */
function buildFindingJson({ object, risk, path, message, detail, see, fix }: Finding): object {
  const { apiVersion, kind, namespace, name } = object;
  return {
    object: { apiVersion, kind, ...defined({ namespace }), name },
    risk,
    ...defined({ path }),
    message,
    ...detail,
    ...defined({ see, fix }),
  };
}
