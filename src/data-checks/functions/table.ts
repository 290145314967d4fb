import {
  API_SERVER_LIBRARIES,
  API_SERVER_MACROS,
  buildApiServerLibrary,
  buildFunctionTable,
  type Expansions,
} from "../../schema/cel/index.ts";
import { HISTORY_FUNCTIONS, VERSION_FUNCTIONS, VERSION_MACROS } from "./versions.ts";
import { CERTIFICATE_FUNCTIONS } from "./certificates.ts";
import { COUNTING_FUNCTIONS, GROUPING_MACROS } from "./counts.ts";
import { ENCODING_FUNCTIONS } from "./encodings.ts";
import { OBJECT_FUNCTIONS, POD_FUNCTIONS } from "./objects.ts";
import { PARSING_FUNCTIONS, TEXT_FUNCTIONS } from "./texts.ts";

/** The functions of data checks: the API server's, and their own. */
export const CHECK_FUNCTIONS = buildFunctionTable([
  ...API_SERVER_LIBRARIES,
  ...[
    OBJECT_FUNCTIONS,
    POD_FUNCTIONS,
    HISTORY_FUNCTIONS,
    TEXT_FUNCTIONS,
    VERSION_FUNCTIONS,
    PARSING_FUNCTIONS,
    ENCODING_FUNCTIONS,
    CERTIFICATE_FUNCTIONS,
    COUNTING_FUNCTIONS,
  ].map((functions) => buildApiServerLibrary("rules", functions)),
]);

export const CHECK_MACROS: Expansions = new Map([...API_SERVER_MACROS, ...VERSION_MACROS, ...GROUPING_MACROS]);

export const MACRO_NAMES = listMacros([...CHECK_MACROS.keys()]);
/** The macros that go through a list or a map, or look into an optional value. */
export const ITEM_MACROS = listMacros([...CHECK_MACROS.keys()].filter((key) => key.startsWith("method ")));

function listMacros(keys: readonly string[]): readonly string[] {
  return [...new Set(keys.map((key) => key.replaceAll(/^method |\/\d+$/g, "")))];
}

/** What expressions can call. */
export const CALL_NAMES = [...new Set([...CHECK_FUNCTIONS.names, ...MACRO_NAMES])].filter((name) =>
  /^[a-z][\w.]*$/.test(name),
);
