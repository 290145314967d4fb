import { createPageFormats } from "../text/page-formats.ts";
import { formatPlanJson } from "./plan-json.ts";
import { buildPlanPage } from "./plan-page.ts";
import { buildPlaybookPage } from "./playbook-page.ts";

/** The output formats of a plan, by name. */
export const planFormats = { ...createPageFormats(buildPlanPage), json: formatPlanJson };

const { markdown, html } = createPageFormats(buildPlaybookPage);

/** Those of a plan as a checklist. */
export const playbookFormats = { markdown, html };
