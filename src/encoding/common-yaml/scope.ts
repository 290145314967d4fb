/**
 * What the texts of a place are for. Block scalars take up most of a release: descriptions in `schema`, dashboards in the `unused` data of
 * ConfigMaps. They are validated, but nobody reads them, so a placeholder stands for them. In `all` every text is kept.
 */
export type Scope = "all" | "manifest" | "data" | "schema" | "names" | "unused";

/** Stands for a text that is not empty. */
export const OMITTED = "-";

/** Keywords whose values may be any JSON, so that a key "description" there is data. */
const DATA_KEYWORDS = new Set(["default", "enum", "example"]);
/** Keywords that map names to schemas, so that a key "description" there is a name. */
const NAME_MAP_KEYWORDS = new Set(["properties", "patternProperties", "definitions", "dependencies"]);

/** The scope of a key's value. */
export function enterScope(scope: Scope, key: string): Scope {
  switch (scope) {
    case "manifest":
      return key === "data" ? "unused" : "data";
    case "data":
      return key === "openAPIV3Schema" ? "schema" : "data";
    case "schema":
      if (DATA_KEYWORDS.has(key)) return "all";
      return NAME_MAP_KEYWORDS.has(key) ? "names" : "schema";
    case "names":
      return "schema";
    case "all":
    case "unused":
      return scope;
  }
}

/** Whether nobody reads a key's literal text. */
export function isOmitted(scope: Scope, key: string): boolean {
  return scope === "unused" || (scope === "schema" && key === "description");
}
