import { formatJsonText } from "../text/json-text.ts";
import { createPageFormats } from "../text/page-formats.ts";
import { buildComparisonJson } from "./comparison-json.ts";
import { buildComparisonPage, type ComparisonView } from "./comparison-page.ts";

/** The output formats of a comparison, by name. */
export const comparisonFormats = {
  ...createPageFormats(buildComparisonPage),
  json: ({ comparison }: ComparisonView) => formatJsonText(buildComparisonJson(comparison)),
};
