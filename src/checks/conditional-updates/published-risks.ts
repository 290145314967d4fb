import type { Context, Unknown } from "../../model/check.ts";
import { type EvaluatedRisk, parseEvaluatedRisks } from "../../model/evaluated-risk.ts";
import { isListed, type ListedUpdates, parseListedUpdates } from "../../model/listed-updates.ts";
import type { PublishedRisk } from "../../model/published-risk.ts";
import { type JsonObject, listAt, textAt } from "../../model/json.ts";
import { CLUSTER_VERSION, formatRef } from "../../model/resource.ts";

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
