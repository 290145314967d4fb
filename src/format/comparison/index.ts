import { createPageFormats } from "../text/page-formats.ts";
import { formatComparisonJson } from "./comparison-json.ts";
import { buildComparisonPage, type ComparisonView } from "./comparison-page.ts";

/** The output formats of a comparison, by name. */
export const comparisonFormats = {
  ...createPageFormats(buildComparisonPage),
  json: ({ comparison }: ComparisonView) => formatComparisonJson(comparison),
};
