import { dump } from "js-yaml";
import { buildJson } from "../json.ts";
import type { Format } from "../view.ts";

/** The same content as `-o json`. */
export const formatYaml: Format = (view) => dump(buildJson(view), { noRefs: true, lineWidth: -1 });
