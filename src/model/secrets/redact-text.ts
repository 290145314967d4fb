import { type Json, type JsonObject, isList, isObject } from "../json.ts";
import { redactAssignments } from "./assignments.ts";
import { redactCommands } from "./command-secrets.ts";
import { SECRET_FORMS } from "./secret-forms.ts";
import { redactAddresses } from "./url-secrets.ts";

/** Most texts of objects are one word such as "AsExpected". Secrets that are known by their form have digits, or are longer. */
const WORD = /^[A-Za-z./_-]{0,19}$/;

export function isWord(text: string): boolean {
  return WORD.test(text);
}

/** Replaces the secrets in a text of others, such as a condition's message or an error, and keeps the rest of the sentence. */
export function redactText(text: string): string {
  return isWord(text) ? text : redactAssignments(redactForms(text));
}

/** Replaces what is a secret wherever it stands, whatever the text is. */
export function redactForms(text: string): string {
  const addresses = redactAddresses(text);
  const forms = SECRET_FORMS.reduce(
    (before, [pattern, replacement]) => before.replace(pattern, replacement),
    addresses,
  );
  return redactCommands(forms);
}

/** Redacts every text of an object. */
export function redactTexts(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, redactValue(value)]));
}

function redactValue(value: Json): Json {
  if (typeof value === "string") return redactText(value);
  if (isList(value)) return value.map(redactValue);
  return isObject(value) ? redactTexts(value) : value;
}
