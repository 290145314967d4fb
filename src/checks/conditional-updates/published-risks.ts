import type { Context, Unknown } from "../../model/check.ts";
import { type EvaluatedRisk, parseEvaluatedRisks } from "../../model/cluster-version-risks.ts";
import { isListed, type ListedUpdates, parseListedUpdates } from "../../model/cluster-version.ts";
import type { PublishedRisk } from "../../model/route.ts";
import { type JsonObject, type Json, listAt, textAt } from "../../model/json.ts";
import { CLUSTER_VERSION, formatRef } from "../../model/resource.ts";
import type { QueryAnswer } from "../../model/reader.ts";
import { joinNames, quote } from "../../model/text.ts";

/** The risks of this update; `unpublished` are those that ClusterVersion lists for it and the update graph does not publish. */
export type PublishedRisks = {
  readonly kind: "published";
  readonly risks: readonly PublishedRisk[];
  readonly unpublished: readonly PublishedRisk[];
};

type NoPublishedRisks =
  | { readonly kind: "none"; readonly reason: string }
  | { readonly kind: "unknown"; readonly unknown: Unknown };

/** What is published for this update: in the place where the target was looked up, or else in ClusterVersion. */
export function findPublishedRisks(offers: Offers, context: Context): PublishedRisks | NoPublishedRisks {
  const { source, target } = context;
  const { recommendation, running } = context.special;
  const listed = offers.evaluatedRisks.filter(({ version }) => version === target.text);
  switch (recommendation?.kind) {
    case "conditional":
      return addListed(recommendation.risks, listed);
    case "recommended":
      // A step of a plan: a clear check would seem to wait for the update before it.
      if (running !== undefined) return explainNone(explainNoConditions(source.text, target.text));
      return addListed([], listed);
    case "notOffered":
      return findListed(listed, offers, target.text) ?? explainNone(explainNoUpdate(source.text, target.text));
    case "unknown":
    case undefined:
      return findListed(listed, offers, target.text) ?? explainNoOffer(offers, context);
  }
}

function explainNone(reason: string): NoPublishedRisks {
  return { kind: "none", reason };
}

/** The operator's own risks come from the cluster itself, whatever is published. */
function addListed(published: readonly PublishedRisk[], listed: readonly EvaluatedRisk[]): PublishedRisks {
  const names = new Set(published.map(({ name }) => name));
  const others = listed.filter(({ name }) => !names.has(name));
  return {
    kind: "published",
    risks: [...published, ...others.filter(({ isOfOperator }) => isOfOperator)],
    unpublished: others.filter(({ isOfOperator }) => !isOfOperator),
  };
}

function findListed(listed: readonly EvaluatedRisk[], offers: Offers, target: string): PublishedRisks | undefined {
  return isListed(offers, target) ? { kind: "published", risks: listed, unpublished: [] } : undefined;
}

/** The update service publishes risks only with the updates that it offers. Lists that it did not fill show nothing of that. */
function explainNoOffer({ channel, retrieval }: Offers, { source, target }: Context): NoPublishedRisks {
  const explain = (why: string): NoPublishedRisks =>
    explainNone(`${why}, so ClusterVersion lists no published risks of this update.`);
  if (channel === "") return explain("Without a channel, the cluster asks no update service");
  if (retrieval.kind === "retrieved")
    return explain(`The update service does not offer ${target.text} to this cluster in the channel ${channel}`);
  if (retrieval.failure === "VersionNotFound")
    return explain(`The update service offers no update from ${source.text} in the channel ${channel}`);
  const message = `${retrieval.why}, so the risks published for ${target.text} are not known; "preflight check --graph FILE" reads them from an update graph`;
  return { kind: "unknown", unknown: { reason: "NotReported", where: formatRef(CLUSTER_VERSION), message } };
}

function explainNoUpdate(source: string, target: string): string {
  return `The update service offers no update from ${source} to ${target}, so it publishes no risks of this update.`;
}

function explainNoConditions(source: string, target: string): string {
  return `The update service publishes no risks of the update from ${source} to ${target}.`;
}

/** What ClusterVersion says of the offered updates and of their conditions. */
export type Offers = ListedUpdates & {
  /** The conditions of all offered updates, as the operator has evaluated them. */
  readonly evaluatedRisks: readonly EvaluatedRisk[];
  /** The risks that an administrator accepted for the next update (spec.desiredUpdate.acceptRisks). */
  readonly acceptedNames: readonly string[];
};

export function keepOffers(clusterVersion: JsonObject): Offers {
  return {
    ...parseListedUpdates(clusterVersion),
    evaluatedRisks: parseEvaluatedRisks(clusterVersion),
    acceptedNames: listAt(clusterVersion, "spec", "desiredUpdate", "acceptRisks").flatMap(
      (one) => textAt(one, "name") ?? [],
    ),
  };
}

/** What the rules of a risk say. `why`: a clause with its own subject. */
export type RuleVerdict =
  | { readonly kind: "applies"; readonly to: "everyone" | "thisCluster" }
  | { readonly kind: "doesNotApply" }
  | { readonly kind: "unknown"; readonly why: string };

/** The answers of the cluster's monitoring by expression; undefined for one that was left out because there are too many. */
export type QueryAnswers = (expression: string) => QueryAnswer | undefined;

/**
 * Walks the rules in their order, as the cluster-version operator does: the first that can be evaluated decides. One that the operator could
 * evaluate and that was not asked decides nothing, nor do those behind it.
 */
export function evaluateRules(rules: readonly Json[], answers: QueryAnswers): RuleVerdict {
  const failures: string[] = [];
  for (const rule of rules) {
    const type = textAt(rule, "type") ?? "";
    if (type === "Always") return { kind: "applies", to: "everyone" };
    const verdict = type === "PromQL" ? evaluateQuery(rule, answers) : describeUnknownType(type);
    if (typeof verdict !== "string") return verdict;
    failures.push(verdict);
  }
  return { kind: "unknown", why: failures.length === 0 ? "it has no rule" : joinNames(failures) };
}

/** The expressions that the rules need, up to the first rule that always decides. */
export function listExpressions(rules: readonly Json[]): readonly string[] {
  const end = rules.findIndex((rule) => textAt(rule, "type") === "Always");
  return rules.slice(0, end === -1 ? rules.length : end).flatMap((rule) => findExpression(rule) ?? []);
}

function findExpression(rule: Json): string | undefined {
  return textAt(rule, "type") === "PromQL" ? textAt(rule, "promql", "promql") || undefined : undefined;
}

const MAX_TYPE_LENGTH = 40;

function describeUnknownType(type: string): string {
  return `its rule is of the type "${quote(type, MAX_TYPE_LENGTH)}", which preflight does not know`;
}

/** A text says why the rule could not be evaluated. */
function evaluateQuery(rule: Json, answers: QueryAnswers): RuleVerdict | string {
  const expression = findExpression(rule);
  if (expression === undefined) return "its rule has no expression";
  const answer = answers(expression);
  switch (answer?.kind) {
    case undefined:
      return { kind: "unknown", why: "too many other rules were to be evaluated" };
    case "notAllowed":
      return { kind: "unknown", why: `${MONITORING} was not asked (--promql)` };
    case "failed":
      return { kind: "unknown", why: `${MONITORING} could not be asked (${answer.message})` };
    case "noVector":
      return `${MONITORING} can't evaluate its rule (${answer.message})`;
    case "vector":
      return evaluateVector(answer.values);
  }
}

const MONITORING = "the cluster's monitoring";

/** 1 is a match, 0 is none, and nothing else is an answer. */
function evaluateVector(values: readonly number[]): RuleVerdict | string {
  const [value, ...others] = values;
  if (value === undefined) return `${MONITORING} has no data for its rule`;
  if (others.length > 0) return `${MONITORING} has ${values.length} series for its rule instead of one`;
  if (value === 1) return { kind: "applies", to: "thisCluster" };
  return value === 0 ? { kind: "doesNotApply" } : `${MONITORING} gives its rule the value ${value}, neither 0 nor 1`;
}
