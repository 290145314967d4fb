import { createPageFormats } from "../text/page-formats.ts";
import type { RunFacts } from "../document/document.ts";
import { formatPlanJson } from "./plan-json.ts";
import { buildPlanPage, type PlanView } from "./plan-page.ts";

/** The output formats of a plan, by name. */
export const planFormats = {
  ...createPageFormats(buildPlanPage),
  json: (view: PlanView & { readonly run: RunFacts }) => formatPlanJson(view, view.run),
};
