import { toYaml } from "../../encoding/yaml.ts";
import { toVisible } from "../../model/visible-text.ts";
import { buildJson } from "./json.ts";
import type { Format } from "../view/view.ts";

/** The same content as `-o json`. */
export const formatYaml: Format = (view) => toYaml(toVisible(buildJson(view)));
