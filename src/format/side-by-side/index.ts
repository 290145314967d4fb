import { createPageFormats } from "../text/page-formats.ts";
import { formatSideBySideJson } from "./side-by-side-json.ts";
import { buildSideBySidePage } from "./side-by-side-page.ts";

/** The output formats of several targets, by name. */
export const sideBySideFormats = { ...createPageFormats(buildSideBySidePage), json: formatSideBySideJson };
