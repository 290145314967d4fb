import type { JudgedAcceptance } from "../model/acceptance.ts";
import type { PreflightDocument } from "../model/document.ts";
import type { Report, ReportRisk } from "../model/report.ts";

/** A live cluster, or a folder with a recorded one. */
export type ClusterOrigin =
  | { readonly kind: "live"; readonly context: string; readonly server: string }
  | { readonly kind: "recorded"; readonly folder: string };

/** The input of a format: one completed cycle, and options of the output. */
export type View = {
  readonly report: Report;
  readonly document: PreflightDocument;
  /** Where the report's objects were read; absent if it does not matter. */
  readonly cluster?: ClusterOrigin;
  /** Names of risks that the user has accepted. */
  readonly accepted: ReadonlySet<string>;
  /** Every acceptance and what became of it. */
  readonly acceptances?: readonly JudgedAcceptance[];
  /** Whether the text may contain ANSI colours. */
  readonly colour: boolean;
  /** The column at which text is wrapped. */
  readonly width: number;
};

/** A pure function; its text ends with a line break, unless it is empty. */
export type Format = (view: View) => string;

/** The report's risks that the document reports, even those that its budget leaves out: risks of incomplete checks can be turned off. */
export function selectDocumentRisks({ report, document }: Pick<View, "report" | "document">): readonly ReportRisk[] {
  const names = new Set((document.checks ?? []).flatMap(({ risks }) => risks ?? []));
  return report.risks.filter(({ name }) => names.has(name));
}
