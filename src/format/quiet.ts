import { byText } from "../model/json.ts";
import { type Format, toldRisks } from "./view.ts";

/** The names of the risks that nobody has accepted, one a line; nothing where there are none. */
export const quiet: Format = (view) => {
  const names = toldRisks(view).map(({ name }) => name);
  const left = names.filter((name) => !view.accepted.has(name)).toSorted(byText);
  return left.map((name) => `${name}\n`).join("");
};
