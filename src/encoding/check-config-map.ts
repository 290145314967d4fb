import { hash } from "node:crypto";
import { type JsonObject, formatCanonicalJson, objectAt } from "../model/json.ts";

/** The digest that an operator's annotation has: of `data` as JSON with sorted keys and without spaces. What else a ConfigMap has holds no checks. */
export function getDataDigest(configMap: JsonObject): string {
  const text = formatCanonicalJson(objectAt(configMap, "data"));
  return `sha256:${hash("sha256", text)}`;
}

/** A ConfigMap that an annotation names, with the digest of its data. */
export type NamedConfigMap = { readonly name: string; readonly digest: string };

const ENTRY = /^(?<name>[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)@(?<digest>sha256:[0-9a-f]{64})$/;
/** More than any operator needs, and each is a request. */
const MOST_ENTRIES = 8;

/** Undefined if the annotation is not "NAME@sha256:DIGEST", with commas or spaces between several. */
export function parseChecksAnnotation(annotation: string): readonly NamedConfigMap[] | undefined {
  const words = annotation.split(/[\s,]+/).filter((word) => word !== "");
  const entries = words.flatMap((word): readonly NamedConfigMap[] => {
    const { name, digest } = ENTRY.exec(word)?.groups ?? {};
    return name === undefined || digest === undefined ? [] : [{ name, digest }];
  });
  const isWhole = words.length > 0 && words.length <= MOST_ENTRIES && entries.length === words.length;
  return isWhole ? entries : undefined;
}
