import type { CrdsReport } from "../../model/crd-changes.ts";
import { toVisible } from "../../model/visible-text.ts";
import { formatComparisonMarkdown, formatComparisonTable } from "../comparison/comparison-text.ts";
import type { View } from "../view/view.ts";
import { buildCrdsPage } from "./crds-page.ts";
import { formatCrdsSarif } from "./crds-sarif.ts";
import { formatJsonText } from "../text/json-text.ts";

export type CrdsFormat = "table" | "markdown" | "json" | "sarif";

type Options = Pick<View, "colour" | "width"> & { readonly version: string };

/** The result of `preflight crds`; it ends with a line break. */
export function formatCrds(given: CrdsReport, format: CrdsFormat, options: Options): string {
  const report = toVisible(given);
  switch (format) {
    case "table":
      return formatComparisonTable(buildCrdsPage(report), options);
    case "markdown":
      return formatComparisonMarkdown(buildCrdsPage(report));
    case "json":
      return formatJsonText(report);
    case "sarif":
      return formatCrdsSarif(report, options.version);
  }
}
