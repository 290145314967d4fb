import { formatJsonText } from "../text/json-text.ts";
import { createPageFormats } from "../text/page-formats.ts";
import { buildCrdsPage, type CrdsView } from "./crds-page.ts";
import { formatCrdsSarif } from "./crds-sarif.ts";

/** The output formats of `preflight crds`, by name. */
export const crdsFormats = {
  ...createPageFormats(buildCrdsPage),
  json: ({ report }: CrdsView) => formatJsonText(report),
  sarif: formatCrdsSarif,
};
