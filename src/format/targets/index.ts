import { createPageFormats } from "../text/page-formats.ts";
import { formatTargetsJson } from "./targets-json.ts";
import { buildTargetsPage } from "./targets-page.ts";

/** The output formats of several targets, by name. */
export const targetsFormats = { ...createPageFormats(buildTargetsPage), json: formatTargetsJson };
