import { type Finding, unknownName } from "../model/check.ts";
import type { DocumentRisk, PreflightDocument } from "../model/document.ts";
import { byText } from "../model/json.ts";
import type { CheckReport, Outcome, Report, ReportRisk } from "../model/report.ts";
import { sortBlind } from "./document-checks.ts";
import { documentRisk, notesOf } from "./document-risks.ts";
import { findingsOf, noticesOf } from "./findings.ts";
import { sortFindings } from "../model/findings.ts";
import { firstSeen } from "./held.ts";
import { toldRisks } from "./view.ts";

/**
 * The document with everything in it: all risks with their whole texts (so a v1 reader's limits don't hold), all notices,
 * and for each check what it found on which object and what it could not look at.
 */
export function renderJson(document: PreflightDocument, report: Report): string {
  const checks = report.checks.toSorted((a, b) => byText(a.id, b.id)).map((check) => checkJson(check, document));
  const whole = { ...document, risks: wholeRisks(document, report), checks, coverage: report.coverage };
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

/** With what the update service calls the same, which has no place in preflight-v1-json. */
type WholeRisk = DocumentRisk & Pick<ReportRisk, "published">;

function wholeRisks(document: PreflightDocument, report: Report): readonly WholeRisk[] {
  const [seen, told] = [firstSeen(document), toldRisks({ report, document })];
  return notesOf(told).map((note) => {
    const published = told.find(({ name }) => name === note.name)?.published;
    return { ...documentRisk(note, report, seen), ...(published === undefined ? {} : { published }) };
  });
}

function checkJson({ id, name, title, outcome }: CheckReport, document: PreflightDocument): object {
  const told = document.checks?.find((check) => check.id === id);
  const notices = noticesOf(outcome);
  return {
    ...told,
    id,
    outcome: outcome.kind,
    title,
    ...(notices.length === 0 ? {} : { notices }),
    findings: sortFindings([...findingsOf(outcome), ...unseenOf(unknownName({ name }), outcome)]).map(findingJson),
    unknowns:
      outcome.kind === "unknown"
        ? sortBlind(outcome.blind).map(({ reason, where, message }) => ({ reason, where, message }))
        : [],
  };
}

/** What a check could not decide of certain objects. */
function unseenOf(risk: string, outcome: Outcome): readonly Finding[] {
  if (outcome.kind !== "unknown") return [];
  return outcome.blind.flatMap(({ at, message }) => (at ? [{ ...at, risk, message }] : []));
}

/** Keys in one order, whatever order a check wrote them in. */
function findingJson({ object, risk, path, message, detail }: Finding): object {
  const { apiVersion, kind, namespace, name } = object;
  return {
    object: { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name },
    risk,
    ...(path === undefined ? {} : { path }),
    message,
    ...detail,
  };
}
