import {
  type EstimateRules,
  getEstimateRules,
  API_SERVER_MACROS,
  API_SERVER_LIBRARIES,
  API_SERVER_FUNCTIONS,
  type FunctionTable,
  buildFunctionTable,
  type Expansions,
} from "../../cel/index.ts";
import { NEWEST_MINOR, type ServerFeature, canNewRuleUse, hasFeature } from "../../openapi/index.ts";

/** What a rule may use. */
export type RuleLanguage = {
  readonly functions: FunctionTable;
  readonly macros: Expansions;
  /** Entries of lists and maps with a question mark. */
  readonly hasOptionalEntries: boolean;
  readonly estimates: EstimateRules;
};

const WHOLE: RuleLanguage = {
  functions: API_SERVER_FUNCTIONS,
  macros: API_SERVER_MACROS,
  hasOptionalEntries: true,
  estimates: getEstimateRules(NEWEST_MINOR),
};
const languages = new Map<string, RuleLanguage>();

/** What an API server of Kubernetes 1.`minor` accepts in a rule. `isNew`: the installed CRD does not have the rule. */
export function getRuleLanguage(minor: number, isNew: boolean): RuleLanguage {
  if (minor >= NEWEST_MINOR) return WHOLE;
  const key = `${minor} ${isNew}`;
  const language =
    languages.get(key) ?? buildLanguage(minor, (feature) => (isNew ? canNewRuleUse : hasFeature)(feature, minor));
  languages.set(key, language);
  return language;
}

function buildLanguage(minor: number, isKnown: (feature: ServerFeature) => boolean): RuleLanguage {
  return {
    functions: buildFunctionTable(API_SERVER_LIBRARIES, isKnown),
    macros: new Map([...API_SERVER_MACROS].filter(([, { feature }]) => isKnown(feature))),
    hasOptionalEntries: isKnown("optionals"),
    estimates: getEstimateRules(minor),
  };
}
