import { type Json, isList } from "../model/json.ts";

const SHOWN_CHARACTERS = 60;
const SHOWN_VALUES = 12;

/** A value as a message shows it: scalars as JSON, shortened; lists and objects by what they are. */
export function shown(value: Json): string {
  if (isList(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string" || value.length <= SHOWN_CHARACTERS) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, SHOWN_CHARACTERS))}...`;
}

/** Values as a message lists them; beyond a dozen only how many more. */
export function listed(values: readonly Json[]): string {
  const first = values.slice(0, SHOWN_VALUES).map(shown).join(", ");
  return values.length > SHOWN_VALUES ? `${first} and ${values.length - SHOWN_VALUES} more` : first;
}

/** "1 item", "2 items". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
