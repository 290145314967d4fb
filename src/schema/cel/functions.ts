import { CONVERSIONS, SIZE } from "./convert.ts";
import type { Fn } from "./fn.ts";
import { KIND_GLOBALS, KIND_METHODS } from "./functions-kinds.ts";
import { NET_GLOBALS, NET_METHODS } from "./functions-net.ts";
import { TEXT_GLOBALS, TEXT_METHODS } from "./functions-text.ts";
import { TIME_METHODS } from "./functions-time.ts";
import { LIST_GLOBALS, LIST_METHODS } from "./lists.ts";
import { PATTERN_GLOBALS, PATTERN_METHODS } from "./patterns.ts";

export type { Fn } from "./fn.ts";

/** Functions by their qualified names: the language's own and those of the API server's libraries. */
export const GLOBALS: ReadonlyMap<string, Fn> = new Map([
  ...CONVERSIONS,
  ...TEXT_GLOBALS,
  ...PATTERN_GLOBALS,
  ...LIST_GLOBALS,
  ...NET_GLOBALS,
  ...KIND_GLOBALS,
]);

export const METHODS: ReadonlyMap<string, Fn> = new Map([
  ["size", SIZE],
  ...TEXT_METHODS,
  ...PATTERN_METHODS,
  ...LIST_METHODS,
  ...NET_METHODS,
  ...TIME_METHODS,
  ...KIND_METHODS,
]);
