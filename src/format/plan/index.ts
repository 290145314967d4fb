import { createPageFormats } from "../text/page-formats.ts";
import { formatPlanJson } from "./plan-json.ts";
import { buildPlanPage } from "./plan-page.ts";

/** The output formats of a plan, by name. */
export const planFormats = {
  ...createPageFormats(buildPlanPage),
  json: formatPlanJson,
};
