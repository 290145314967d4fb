import { compareText } from "../../model/json.ts";
import { type Format, selectReportedRisks } from "../view/view.ts";

/** The names of the risks that are not accepted, one a line. */
export const formatQuiet: Format = (view) => {
  const names = selectReportedRisks(view).map(({ name }) => name);
  const unaccepted = names.filter((name) => !view.accepted.has(name)).toSorted(compareText);
  return unaccepted.map((name) => `${name}\n`).join("");
};
