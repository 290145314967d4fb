import { type Json, type JsonObject, isList, isObject, textAt } from "../json.ts";
import { REDACTED } from "./secret-forms.ts";
import { isSecretKey } from "./secret-names.ts";

/** A shorter value may be a part of any word, so it is replaced only where it is quoted. */
const MIN_PLAIN_LENGTH = 6;
/** Messages quote no more of a value. */
const MAX_QUOTED_LENGTH = 60;

/** Returns a function that replaces, in texts about an object, the values of the object's fields that are secrets by their names. */
export function createFieldMask(object: JsonObject): (text: string) => string {
  const values = new Set(collectSecrets(object, false));
  return (text) => [...values].reduce(maskValue, text);
}

function collectSecrets(value: Json, isSecret: boolean): readonly (string | number)[] {
  if (typeof value === "string" || typeof value === "number") return isSecret && value !== "" ? [value] : [];
  if (isList(value)) return value.flatMap((item) => collectSecrets(item, isSecret));
  if (!isObject(value)) return [];
  const isEntry = isSecretKey(textAt(value, "name") ?? "");
  return Object.entries(value).flatMap(([key, item]) =>
    collectSecrets(item, isSecretKey(key) || (isEntry && key === "value") || (isSecret && !isReference(key))),
  );
}

/** Below a secret's key, these fields name a secret instead of holding it. */
function isReference(key: string): boolean {
  return key === "name" || key === "namespace" || key === "key";
}

function maskValue(text: string, value: string | number): string {
  if (typeof value === "number") return text.replaceAll(new RegExp(`(?<![\\w.])${value}(?![\\w.])`, "g"), REDACTED);
  const quoted = [value, value.slice(0, MAX_QUOTED_LENGTH)].reduce(
    (before, part) => before.replaceAll(JSON.stringify(part), `"${REDACTED}"`),
    text,
  );
  return value.length < MIN_PLAIN_LENGTH ? quoted : quoted.replaceAll(value, REDACTED);
}
