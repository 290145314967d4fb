import type { Route } from "../../model/route.ts";
import { type Version, findMinorsBetween, formatMinor, getMinorOrdinal } from "../../model/version.ts";
import { isKubernetesRequest, type TargetRequest } from "./target-request.ts";

/** The public update service, which a cluster asks if its ClusterVersion names no other. */
export const PUBLIC_SERVICE = "https://api.openshift.com/api/upgrades_info/graph";

const CHANNEL = /^(.+)-(\d{1,4}\.\d{1,4})$/;
const DEFAULT_PREFIX = "stable";

/** The family of a channel: "eus" of "eus-4.18", "stable" of a cluster without a channel. */
export function getChannelPrefix(channel: string): string {
  return CHANNEL.exec(channel)?.[1] ?? DEFAULT_PREFIX;
}

/**
 * The channels whose graphs may have a route: the cluster's own, and those of the same family for each later minor up to the target. A
 * channel offers the updates to its own minor only. "latest" is the newest of the cluster's own channel.
 */
export function selectChannels(channel: string, source: Version, request: TargetRequest): readonly string[] {
  const prefix = getChannelPrefix(channel);
  const own = channel === "" ? `${prefix}-${formatMinor(source)}` : channel;
  const target = request.kind === "minor" ? request.minor : request.kind === "release" ? request.version : undefined;
  if (target === undefined || isKubernetesRequest(request)) return [own];
  const end = { ...target, patch: 0, pre: [], text: `${formatMinor(target)}.0` };
  const isLater = getMinorOrdinal(target) > getMinorOrdinal(source);
  const passed = isLater ? findMinorsBetween(source, end).map(({ minor }) => minor) : [];
  return [...new Set([own, ...[...passed, target].map((minor) => `${prefix}-${formatMinor(minor)}`)])];
}

/** The channel that a cluster needs for an update; undefined if its own has the release, or if the channels are not known. */
export function findNeededChannel(own: string, channels: readonly string[], target: Version): string | undefined {
  if (channels.length === 0 || channels.includes(own)) return undefined;
  const prefix = getChannelPrefix(own);
  const ofFamily = channels.filter((name) => getChannelPrefix(name) === prefix);
  return ofFamily.find((name) => name.endsWith(`-${formatMinor(target)}`)) ?? ofFamily[0] ?? channels[0];
}

/** For each step of a route the channel that the cluster needs for it; the same one for all, if a channel has all of their releases. */
export function findNeededChannels(own: string, { steps }: Route): readonly (string | undefined)[] {
  const releases = steps.flatMap(({ to }) => (to.kind === "release" && to.channels.length > 0 ? [to] : []));
  const last = releases.at(-1);
  const common = last?.channels.filter((name) => releases.every(({ channels }) => channels.includes(name))) ?? [];
  return steps.map(({ to }) => {
    if (to.kind === "minor" || to.channels.length === 0 || to.channels.includes(own)) return undefined;
    return (
      findNeededChannel(own, common, last?.version ?? to.version) ?? findNeededChannel(own, to.channels, to.version)
    );
  });
}

/** The address of the graph of one channel. An address that names a channel already is taken as it is. */
export function buildGraphUrl(service: URL, channel: string, architecture: string): URL {
  const url = new URL(service);
  if (!url.searchParams.has("channel")) url.searchParams.set("channel", channel);
  if (!url.searchParams.has("arch")) url.searchParams.set("arch", architecture);
  return url;
}
