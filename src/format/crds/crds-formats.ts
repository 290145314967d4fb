import type { CrdsReport } from "../../model/crd-changes.ts";
import { formatComparisonMarkdown, formatComparisonTable } from "../comparison/comparison-text.ts";
import type { View } from "../view.ts";
import { buildCrdsPage } from "./crds-page.ts";
import { formatCrdsSarif } from "./crds-sarif.ts";

export type CrdsFormat = "table" | "markdown" | "json" | "sarif";

type Options = Pick<View, "colour" | "width"> & { readonly version: string };

/** The result of `preflight crds`; it ends with a line break. */
export function formatCrds(report: CrdsReport, format: CrdsFormat, options: Options): string {
  switch (format) {
    case "table":
      return formatComparisonTable(buildCrdsPage(report), options);
    case "markdown":
      return formatComparisonMarkdown(buildCrdsPage(report));
    case "json":
      return `${JSON.stringify(report, undefined, 2)}\n`;
    case "sarif":
      return formatCrdsSarif(report, options.version);
  }
}
