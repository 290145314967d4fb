import type { Context, Finding } from "../../model/check.ts";
import { buildPrefix, quoteArgument } from "../../model/commands.ts";
import { findOwn } from "../../model/json.ts";
import { nameOnly } from "../shared/only-detail.ts";
import { formatMinor } from "../../model/version.ts";
import { type Subscribed, findSubscription, isUpdatePending } from "../shared/operator-subscription.ts";
import { type CatalogChannel, type CatalogOffer, type FoundPackages, findOffer, getPackageKey } from "./catalog.ts";
import type { InstalledOperator } from "./installed-operators.ts";

/** What is known of how operators are updated; each part is absent if it could not be read. */
export type UpdateSources = { readonly subscriptions?: readonly Subscribed[]; readonly packages: FoundPackages };

/** How an operator gets another version. `unread`: nobody knows; `unsubscribed`: not from OLM; `latest`: OLM offers none. */
export type OperatorUpdate =
  | { readonly kind: "unread" | "unsubscribed" }
  | { readonly kind: "pending"; readonly subscription: Subscribed }
  | { readonly kind: "latest"; readonly subscription: Subscribed; readonly offer?: CatalogOffer };

export function findUpdate(operator: InstalledOperator, sources: UpdateSources, context: Context): OperatorUpdate {
  const { subscriptions, packages } = sources;
  if (subscriptions === undefined) return { kind: "unread" };
  const subscription = findSubscription(operator.object, subscriptions);
  // One that is leaving may have a Subscription that has installed its successor.
  if (subscription === undefined) return { kind: operator.leaving === undefined ? "unsubscribed" : "unread" };
  if (isUpdatePending(subscription)) return { kind: "pending", subscription };
  const found = subscription.package === operator.package ? packages[getPackageKey(operator)] : undefined;
  return { kind: "latest", subscription, offer: findOffer(found, operator.version, subscription, context) };
}

/** What decides which command updates the operator, for machines as well. */
export function buildUpdateDetail(update: OperatorUpdate, operator: InstalledOperator): Record<string, string> {
  const subscription = "subscription" in update ? update.subscription : undefined;
  const offer = update.kind === "latest" ? update.offer : undefined;
  const channel = offer?.kind === "other" ? offer.channel : undefined;
  const details = {
    subscription: subscription?.name,
    package: subscription?.package ?? operator.package,
    next: update.kind === "pending" ? update.subscription.nextCsv : undefined,
    installPlan: update.kind === "pending" ? findInstallPlan(update.subscription) : undefined,
    channel: channel?.name,
    channelVersion: channel?.version?.text,
    channels: offer !== undefined && "all" in offer ? formatChannels(offer.all) : undefined,
    noChannel: findObstacle(update),
    leaving: operator.leaving,
  };
  return Object.fromEntries(Object.entries(details).flatMap(([key, value]) => (value ? [[key, value]] : [])));
}

/** Set only if it waits for approval. */
function findInstallPlan({ isWaitingForApproval, installPlan }: Subscribed): string {
  return isWaitingForApproval ? installPlan : "";
}

/** Why no change of channel updates an operator. */
type ChannelObstacle = "noSubscription" | "notOffered" | "notInCatalog" | "noPackage";

const OBSTACLES = { own: "notOffered", none: "notInCatalog", noPackage: "noPackage" } as const;

function findObstacle(update: OperatorUpdate): ChannelObstacle | undefined {
  if (update.kind === "unsubscribed") return "noSubscription";
  const offer = update.kind === "latest" ? update.offer : undefined;
  return offer === undefined || offer.kind === "other" ? undefined : OBSTACLES[offer.kind];
}

/** A detail is one text. */
const MAX_CHANNELS = 20;

/** "stable-2.4 2.4.1 (up to 4.17), stable-2.5 2.5.0" */
function formatChannels(channels: readonly CatalogChannel[]): string {
  const named = channels.slice(0, MAX_CHANNELS).map(({ name, version, last }) => {
    const limit = last.kind === "release" ? ` (up to ${last.text})` : "";
    return `${name} ${version?.text ?? ""}${last.kind === "invalid" ? " (not parsed)" : limit}`;
  });
  const more = channels.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** A sentence for a message, after a space; "" if nothing is known. */
export function formatUpdate(update: OperatorUpdate, context: Context): string {
  switch (update.kind) {
    case "unread":
      return "";
    case "unsubscribed":
      return " No Subscription has installed it, so no channel updates it: install a later version as this one was installed, or uninstall it.";
    case "pending":
      return formatPending(update.subscription);
    case "latest":
      return update.offer === undefined ? "" : formatOffer(update.offer, context);
  }
}

function formatPending({ isWaitingForApproval, installPlan, namespace, nextCsv }: Subscribed): string {
  if (!isWaitingForApproval) return ` Its update to ${nextCsv} is pending.`;
  return ` Its update to ${nextCsv} waits for approval${installPlan === "" ? "" : ` (InstallPlan ${namespace}/${installPlan})`}.`;
}

function formatOffer(offer: CatalogOffer, { target }: Context): string {
  const release = `OpenShift ${formatMinor(target)}`;
  switch (offer.kind) {
    case "other":
      return formatOther(offer.channel, release);
    case "own":
      return ` Its own channel ${offer.channel.name} has ${offer.channel.version?.text}, which OLM has not offered yet: see the conditions of its Subscription.`;
    case "none":
      return ` No channel of its catalog has a later version that declares support for ${release}: uninstall it, or don't update the cluster.`;
    case "noPackage":
      return " No catalog has its package: repair the CatalogSource that its Subscription names, or uninstall it.";
  }
}

function formatOther({ name, version, last }: CatalogChannel, release: string): string {
  const declared = last.kind === "release" ? `support up to OpenShift ${last.text}` : `nothing about ${release}`;
  return ` Its catalog has ${version?.text} in channel ${name}, which declares ${declared}.`;
}

/** An update that waits is approved, and one that is under way needs nothing. Otherwise the Subscription gets a channel that helps. */
export function buildUpdate({ object, detail = {} }: Finding, { platform }: Context): readonly string[] {
  const { installPlan, next, leaving, subscription, noChannel, channel = "<channel>" } = detail;
  const prefix = `${buildPrefix(platform, object.namespace)} patch`;
  if (installPlan !== undefined)
    return [
      `${prefix} installplan.operators.coreos.com/${quoteArgument(installPlan)} --type=merge -p '{"spec":{"approved":true}}'`,
    ];
  if (next !== undefined || leaving !== undefined || noChannel !== undefined) return [];
  const name = subscription === undefined ? "<subscription>" : quoteArgument(subscription);
  const patch = quoteArgument(JSON.stringify({ spec: { channel } }));
  return [`${prefix} subscription.operators.coreos.com/${name} --type=merge -p ${patch}`];
}

export const namePackage = nameOnly(({ detail }) => detail?.["package"], "PACKAGE");

/** By why no channel updates the operators of a risk. */
const REMEDIES: Readonly<Record<ChannelObstacle, string>> = {
  noSubscription: "Install later versions by hand, as no Subscription does it, or uninstall them",
  notOffered: "Wait for OLM's update of these operators, or see in their Subscriptions what holds it up",
  notInCatalog: "Uninstall these operators, or wait until their catalogs have versions for the target",
  noPackage: "Repair the CatalogSources of these operators' Subscriptions, or uninstall the operators",
};

/** What is true of all objects of a risk, without a full stop. */
export function formatRemedy(context?: Context, findings: readonly Finding[] = []): string {
  const [only, ...others] = new Set(findings.map(({ detail }) => detail?.["noChannel"]));
  const remedy = others.length > 0 || only === undefined ? undefined : findOwn(REMEDIES, only);
  if (remedy !== undefined) return remedy;
  return `Update these operators to versions that support the target ("oc get subscriptions -A" shows their channels, and "oc describe packagemanifest ${namePackage(context, findings)} -n NAMESPACE" the others of their catalog), or uninstall them`;
}
