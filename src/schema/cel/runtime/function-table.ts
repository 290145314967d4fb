import { CONVERSION_FUNCTIONS, SIZE_FUNCTION } from "./conversion-functions.ts";
import type { CelFunction } from "./function-binding.ts";
import { VALUE_TYPE_GLOBALS, VALUE_TYPE_METHODS } from "./value-type-functions.ts";
import { NETWORK_GLOBALS, NETWORK_METHODS } from "./network-functions.ts";
import { TEXT_GLOBALS, TEXT_METHODS } from "./text-functions.ts";
import { TIME_METHODS } from "./time-functions.ts";
import { LIST_GLOBALS, LIST_METHODS } from "./list-functions.ts";
import { PATTERN_GLOBALS, PATTERN_METHODS } from "./regex-functions.ts";

export type { CelFunction } from "./function-binding.ts";

/** Functions by qualified name: those of the language and of the API server's libraries. */
export const GLOBAL_FUNCTIONS: ReadonlyMap<string, CelFunction> = new Map([
  ...CONVERSION_FUNCTIONS,
  ...TEXT_GLOBALS,
  ...PATTERN_GLOBALS,
  ...LIST_GLOBALS,
  ...NETWORK_GLOBALS,
  ...VALUE_TYPE_GLOBALS,
]);

export const MEMBER_FUNCTIONS: ReadonlyMap<string, CelFunction> = new Map([
  ["size", SIZE_FUNCTION],
  ...TEXT_METHODS,
  ...PATTERN_METHODS,
  ...LIST_METHODS,
  ...NETWORK_METHODS,
  ...TIME_METHODS,
  ...VALUE_TYPE_METHODS,
]);
