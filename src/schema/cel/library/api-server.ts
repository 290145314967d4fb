import { ADDRESSES, NETWORKS } from "./addresses.ts";
import { LIST_BUILDING, MAPS, SETS } from "./collection-libraries.ts";
import { QUANTITIES, AUTHORIZER, SEMVER, URLS } from "./kubernetes-values.ts";
import { CONVERSIONS } from "./conversions.ts";
import { FORMATS } from "./formats.ts";
import { type Library, buildFunctionTable } from "../runtime/function-table.ts";
import { LISTS } from "./lists.ts";
import { OPERATORS } from "./operators.ts";
import { OPTIONALS } from "./optionals.ts";
import { PATTERNS } from "./patterns.ts";
import { TEXTS } from "./texts.ts";
import { TIMES } from "./times.ts";

/**
 * What API servers up to Kubernetes 1.36 declare for rules: cel-go's own functions and Kubernetes' libraries. Where libraries share a name,
 * signatures are tried in this order.
 */
export const API_SERVER_LIBRARIES: readonly Library[] = [
  OPERATORS,
  CONVERSIONS,
  TIMES,
  LISTS,
  TEXTS,
  PATTERNS,
  URLS,
  AUTHORIZER,
  QUANTITIES,
  OPTIONALS,
  SETS,
  ADDRESSES,
  NETWORKS,
  FORMATS,
  MAPS,
  SEMVER,
  LIST_BUILDING,
];

export const API_SERVER_FUNCTIONS = buildFunctionTable(API_SERVER_LIBRARIES);
