import type { PreflightDocument } from "../model/document.ts";
import type { Report, ReportRisk } from "../model/report.ts";

/** All that a format may show of one completed cycle. */
export type View = {
  readonly report: Report;
  readonly document: PreflightDocument;
  /** Names of risks that the user has accepted. */
  readonly accepted: ReadonlySet<string>;
  /** May the text hold ANSI colours? */
  readonly colour: boolean;
  /** Columns at which text for people is wrapped. */
  readonly width: number;
};

/** A format is pure; its text ends with a line break, unless it is empty. */
export type Format = (view: View) => string;

/** The report's risks that the document tells, whether or not its budget holds them: those of blind spots can be switched off. */
export function selectDocumentRisks({ report, document }: Pick<View, "report" | "document">): readonly ReportRisk[] {
  const names = new Set((document.checks ?? []).flatMap(({ risks }) => risks ?? []));
  return report.risks.filter(({ name }) => names.has(name));
}
