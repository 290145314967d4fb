import { ADDRESSES, NETWORKS, QUANTITIES, AUTHORIZER, SEMVER, URLS, FORMATS } from "./kubernetes-values.ts";
import { LIST_BUILDING, MAPS, SETS, LISTS } from "./collections.ts";
import { CONVERSIONS, TIMES } from "./conversions.ts";
import { type Library, buildFunctionTable } from "../runtime/environment.ts";
import { OPERATORS, OPTIONALS } from "./operators.ts";
import { PATTERNS, TEXTS } from "./texts.ts";

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
