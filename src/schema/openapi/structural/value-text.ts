import { type Json, isList } from "../../../model/json.ts";

const MAX_SHOWN_CHARACTERS = 60;
const MAX_SHOWN_VALUES = 12;

/** A value as messages show it: scalars as shortened JSON, lists and objects by their kind and size. */
export function formatValue(value: Json): string {
  if (isList(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string" || value.length <= MAX_SHOWN_CHARACTERS) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, MAX_SHOWN_CHARACTERS))}...`;
}

/** Values as messages list them: the first dozen, and the number of the others. */
export function formatValues(values: readonly Json[]): string {
  const first = values.slice(0, MAX_SHOWN_VALUES).map(formatValue).join(", ");
  return values.length > MAX_SHOWN_VALUES ? `${first} and ${values.length - MAX_SHOWN_VALUES} more` : first;
}

/** "1 item", "2 items". */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The length of a text as the API server counts it: in code points. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    if (isPair) count--;
  }
  return count;
}
