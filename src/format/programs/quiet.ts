import { compareText } from "../../model/json.ts";
import type { Format } from "../view/view.ts";
import { selectReportedRisks } from "../document/document-risks.ts";

/** The names of the risks that are not accepted, one a line. */
export const formatQuiet: Format = (view) => {
  const names = selectReportedRisks(view.report, view.hasUnknownRisks).map(({ name }) => name);
  const unaccepted = names.filter((name) => !view.accepted.has(name)).toSorted(compareText);
  return unaccepted.map((name) => `${name}\n`).join("");
};
