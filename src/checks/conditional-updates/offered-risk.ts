import { findConditionIn } from "../../model/conditions.ts";
import { type Json, type JsonObject, isObject, listAt, textAt } from "../../model/json.ts";
import { isPreflightRisk } from "../../model/preflight-mark.ts";

/** A risk of one offered update, with the cluster-version operator's own evaluation. */
export type OfferedRisk = {
  readonly name: string;
  readonly message: string;
  readonly url: string;
  readonly applies: "yes" | "no" | "unknown";
  /** Published for every cluster: there is nothing to evaluate. */
  readonly isUnconditional: boolean;
  /** An administrator accepted it for the next update (spec.desiredUpdate.acceptRisks). */
  readonly isAccepted: boolean;
};

/** What the evaluation of one risk needs besides the risk itself. */
export type EvaluationContext = {
  readonly recommended: JsonObject | undefined;
  /** The entries of status.conditionalUpdateRisks. */
  readonly evaluatedRisks: readonly Json[];
  readonly acceptedNames: readonly string[];
  readonly isOnlyRisk: boolean;
};

export function parseOfferedRisk(risk: JsonObject, context: EvaluationContext): OfferedRisk {
  const [name, message, url] = [textAt(risk, "name") ?? "", textAt(risk, "message") ?? "", textAt(risk, "url") ?? ""];
  const applies = findApplies(risk, name, context) ?? deriveApplies({ name, message, url }, context);
  // The first rule that can be evaluated decides.
  const isUnconditional = textAt(risk, "matchingRules", 0, "type") === "Always";
  return {
    name,
    message,
    url,
    applies: isUnconditional && applies === "unknown" ? "yes" : applies,
    isUnconditional,
    isAccepted: context.acceptedNames.includes(name),
  };
}

/** From 4.22 on an operator with the feature gate reports each risk's evaluation. */
function findApplies(risk: JsonObject, name: string, { evaluatedRisks }: EvaluationContext): Applies | undefined {
  const evaluated = evaluatedRisks.find((one) => textAt(one, "name") === name);
  const condition = findConditionIn(risk, "Applies") ?? findConditionIn(evaluated, "Applies");
  return condition && toApplies(textAt(condition, "status"));
}

type Applies = OfferedRisk["applies"];

function toApplies(status: string | undefined): Applies {
  if (status === "True") return "yes";
  return status === "False" ? "no" : "unknown";
}

/**
 * Other operators report one condition for the whole update. Its message has, for each risk that applies, the risk's message and address,
 * and says which risks could not be evaluated.
 */
function deriveApplies(risk: Pick<OfferedRisk, "name" | "message" | "url">, context: EvaluationContext): Applies {
  const { recommended, isOnlyRisk } = context;
  const status = textAt(recommended, "status");
  const text = textAt(recommended, "message") ?? "";
  if (status === "True") return "no";
  if (status === undefined || text.includes(`update risk ${risk.name} (`)) return "unknown";
  if (text.includes(`${risk.message} ${risk.url}`)) return "yes";
  if (isOnlyRisk) return status === "False" ? "yes" : "unknown";
  return text === "" ? "unknown" : "no";
}

/** The risks of one entry of status.conditionalUpdates. */
export function parseOfferedRisks(clusterVersion: JsonObject, update: Json): readonly OfferedRisk[] {
  const risks = listAt(update, "risks").filter(isObject);
  const context = {
    recommended: findConditionIn(update, "Recommended"),
    evaluatedRisks: listAt(clusterVersion, "status", "conditionalUpdateRisks"),
    acceptedNames: listAt(clusterVersion, "spec", "desiredUpdate", "acceptRisks").flatMap(
      (one) => textAt(one, "name") ?? [],
    ),
    isOnlyRisk: risks.length === 1,
  };
  return risks.filter((risk) => !isPreflightRisk(risk)).map((risk) => parseOfferedRisk(risk, context));
}
