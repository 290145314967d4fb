import { type Json, type JsonObject, at, isList, isObject, listAt, parseJson, textAt } from "../../model/json.ts";
import { type MinorVersion, getMinorOrdinal } from "../../model/version.ts";

/** The last OpenShift release that an operator's properties name. `place` orders minors across 4 and 5. */
export type LastRelease =
  | { readonly kind: "none" }
  | { readonly kind: "release"; readonly place: number; readonly text: string }
  | { readonly kind: "invalid"; readonly why: string };

/** Whether a last release is the target's or a later one. */
export function reachesTarget(
  { place }: Extract<LastRelease, { readonly kind: "release" }>,
  target: MinorVersion,
): boolean {
  return place >= getMinorOrdinal(target);
}

const PROJECTED = "operatorframework.io/properties";
const AUTHORED = "olm.properties";
/** The annotations that may declare it. */
export const RELEASE_ANNOTATIONS = [PROJECTED, AUTHORED];

/** OLM evaluates the annotation that it wrote itself, and not the author's. */
export function isReadByOlm(annotations: JsonObject): boolean {
  return textAt(annotations, PROJECTED) !== undefined;
}

export function parseLastRelease(annotations: JsonObject): LastRelease {
  const projected = textAt(annotations, PROJECTED);
  const authored = textAt(annotations, AUTHORED);
  if (projected !== undefined) return parseProjectedProperties(projected);
  return authored === undefined ? { kind: "none" } : parseAuthoredProperties(authored);
}

const PROPERTY = "olm.maxOpenShiftVersion";

/** Parses the annotation that OLM writes on an installed operator: `{"properties": [{"type": ..., "value": ...}]}`. */
export function parseProjectedProperties(annotation: string): LastRelease {
  const parsed = parsePrecisely(annotation);
  if (!isObject(parsed)) return { kind: "invalid", why: "the annotation is not a JSON object" };
  const properties = at(parsed, "properties") ?? null;
  if (properties === null) return { kind: "none" };
  if (!isList(properties) || !properties.every(isObject)) {
    return { kind: "invalid", why: "the annotation has no list of properties" };
  }
  return findLastRelease(properties);
}

/** Parses the author's annotation, which is only the list. */
export function parseAuthoredProperties(annotation: string): LastRelease {
  const parsed = parsePrecisely(annotation);
  if (!isList(parsed)) return { kind: "invalid", why: "the annotation is not a JSON list" };
  return findLastRelease(listAt(parsed));
}

/** Reads numbers as strings, since the number 4.20 would lose its zero. Within a JSON string, `"value"` would be escaped. */
function parsePrecisely(annotation: string): Json | undefined {
  return parseJson(annotation.replaceAll(/("value"\s*:\s*)(\d+(?:\.\d+)?)(?=\s*[,}])/g, '$1"$2"'));
}

function findLastRelease(properties: readonly Json[]): LastRelease {
  const [first, ...more] = properties.filter((property) => textAt(property, "type") === PROPERTY);
  if (first === undefined) return { kind: "none" };
  if (more.length > 0) return { kind: "invalid", why: "it is set more than once" };
  return parseRelease(at(first, "value"));
}

/** As tolerant as OLM: "4.21", "v4.21", "4.21.0" and "4", but no patch other than 0. */
const RELEASE = /^v?(\d{1,6})(?:\.(\d{1,6})(?:\.0+(?:\+[\w.-]+)?)?)?$/;

function parseRelease(value: Json | undefined): LastRelease {
  if (typeof value !== "string") return { kind: "invalid", why: "its value is neither a string nor a number" };
  const text = value.replaceAll(/^"+|"+$/g, "").trim();
  if (text === "") return { kind: "invalid", why: "its value is empty" };
  const match = RELEASE.exec(text);
  if (!match) return { kind: "invalid", why: `"${text.slice(0, 40)}" is not a release such as 4.21` };
  const major = Number(match[1]);
  const minor = Number(match[2] ?? 0);
  return { kind: "release", place: getMinorOrdinal({ major, minor }), text: `${major}.${minor}` };
}
