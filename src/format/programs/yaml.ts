import { dump } from "js-yaml";
import { toVisible } from "../../model/visible-text.ts";
import { buildJson } from "./json.ts";
import type { Format } from "../view/view.ts";

/** The same content as `-o json`. */
export const formatYaml: Format = (view) => dump(toVisible(buildJson(view)), { noRefs: true, lineWidth: -1 });
