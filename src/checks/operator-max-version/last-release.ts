import { type Json, isList, isObject, listAt, at, textAt } from "../../model/json.ts";
import { getMinorOrdinal } from "../../model/version.ts";

/** Which OpenShift release an operator's properties name as its last: a place on the line of minors, and its text. */
export type LastRelease =
  | { readonly kind: "none" }
  | { readonly kind: "release"; readonly place: number; readonly text: string }
  | { readonly kind: "invalid"; readonly why: string };

const PROPERTY = "olm.maxOpenShiftVersion";

/** What OLM writes on an installed operator: `{"properties": [{"type": ..., "value": ...}]}`. */
export function parseProjectedProperties(annotation: string): LastRelease {
  const parsed = parsePrecisely(annotation);
  if (!isObject(parsed)) return { kind: "invalid", why: "the annotation is no JSON object" };
  const properties = at(parsed, "properties") ?? null;
  if (properties === null) return { kind: "none" };
  if (!isList(properties) || !properties.every(isObject)) {
    return { kind: "invalid", why: "the annotation holds no list of properties" };
  }
  return findLastRelease(properties);
}

/** What an operator's author writes: the list alone. */
export function parseAuthoredProperties(annotation: string): LastRelease {
  const parsed = parsePrecisely(annotation);
  if (!isList(parsed)) return { kind: "invalid", why: "the annotation is no JSON list" };
  return findLastRelease(listAt(parsed));
}

/** A version as a number would lose the zero of 4.20: numbers are read as texts. `"value"` can't be part of a JSON text unescaped. */
function parsePrecisely(annotation: string): Json | undefined {
  try {
    const parsed: Json = JSON.parse(annotation.replaceAll(/("value"\s*:\s*)(\d+(?:\.\d+)?)(?=\s*[,}])/g, '$1"$2"'));
    return parsed;
  } catch {
    return undefined;
  }
}

function findLastRelease(properties: readonly Json[]): LastRelease {
  const [first, ...more] = properties.filter((property) => textAt(property, "type") === PROPERTY);
  if (first === undefined) return { kind: "none" };
  if (more.length > 0) return { kind: "invalid", why: "it is there more than once" };
  return parseRelease(at(first, "value"));
}

/** As tolerant as OLM: "4.21", "v4.21", "4.21.0" and "4", but no patch other than 0. */
const RELEASE = /^v?(\d{1,6})(?:\.(\d{1,6})(?:\.0+(?:\+[\w.-]+)?)?)?$/;

function parseRelease(value: Json | undefined): LastRelease {
  if (typeof value !== "string") return { kind: "invalid", why: "it is neither a text nor a number" };
  const text = value.replaceAll(/^"+|"+$/g, "").trim();
  if (text === "") return { kind: "invalid", why: "it is empty" };
  const match = RELEASE.exec(text);
  if (!match) return { kind: "invalid", why: `"${text.slice(0, 40)}" is no release such as 4.21` };
  const [major, minor] = [Number(match[1]), Number(match[2] ?? 0)];
  return { kind: "release", place: getMinorOrdinal({ major, minor }), text: `${major}.${minor}` };
}
