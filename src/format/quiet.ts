import { compareText } from "../model/json.ts";
import { type Format, selectDocumentRisks } from "./view.ts";

/** The names of the risks that nobody has accepted, one a line; nothing where there are none. */
export const formatQuiet: Format = (view) => {
  const names = selectDocumentRisks(view).map(({ name }) => name);
  const unaccepted = names.filter((name) => !view.accepted.has(name)).toSorted(compareText);
  return unaccepted.map((name) => `${name}\n`).join("");
};
