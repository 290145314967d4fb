import type { Context } from "../../model/check.ts";
import { type Json, type JsonObject, compareText, listAt, objectAt, textAt } from "../../model/json.ts";
import { type Get, type GetResult, get, ofAnyName, withAnnotations } from "../../model/read.ts";
import { type Version, compareVersions, parseVersion } from "../../model/version.ts";
import type { Subscribed } from "../shared/operator-subscription.ts";
import type { InstalledOperator } from "./installed-operators.ts";
import { type LastRelease, RELEASE_ANNOTATIONS, parseLastRelease, reachesTarget } from "./last-release.ts";

/** What a catalog has of a package. */
type CatalogPackage = {
  /** The name of its CatalogSource. */
  readonly source: string;
  readonly defaultChannel: string;
  readonly channels: readonly CatalogChannel[];
};

/** A channel, and the version that OLM installs from it. */
export type CatalogChannel = { readonly name: string; readonly version?: Version; readonly last: LastRelease };

/** Each may have a megabyte, with all descriptions. */
const MAX_PACKAGES = 20;

type PackageKey = `package ${string}`;
export type PackageReads = Readonly<Record<PackageKey, Get<CatalogPackage>>>;
export type FoundPackages = Readonly<Partial<Record<PackageKey, GetResult<CatalogPackage>>>>;

/** Of the first operators by namespace and name whose package is known. */
export function buildPackageReads(operators: readonly InstalledOperator[]): PackageReads {
  const packages = operators.flatMap((operator) => {
    const { object, package: name } = operator;
    if (name === undefined || object.namespace === undefined) return [];
    return [[getPackageKey(operator), buildPackageRead(object.namespace, name)] as const];
  });
  const byKey = [...new Map(packages)].toSorted(([a], [b]) => compareText(a, b));
  return Object.fromEntries(byKey.slice(0, MAX_PACKAGES));
}

export function getPackageKey({ object, package: name }: InstalledOperator): PackageKey {
  return `package ${object.namespace ?? ""}/${name ?? ""}`;
}

/** A PackageManifest is in every namespace that may install the package. */
export function buildPackageRead(namespace: string, name: string): Get<CatalogPackage> {
  const read = get("packages.operators.coreos.com/v1/packagemanifests", `${namespace}/${name}`, keepPackage);
  return ofAnyName(withAnnotations(RELEASE_ANNOTATIONS, read));
}

function keepPackage(manifest: JsonObject): CatalogPackage {
  return {
    source: textAt(manifest, "status", "catalogSource") ?? "",
    defaultChannel: textAt(manifest, "status", "defaultChannel") ?? "",
    channels: listAt(manifest, "status", "channels").map(keepChannel),
  };
}

function keepChannel(channel: Json): CatalogChannel {
  return {
    name: textAt(channel, "name") ?? "",
    version: parseVersion(textAt(channel, "currentCSVDesc", "version") ?? ""),
    last: parseLastRelease(objectAt(channel, "currentCSVDesc", "annotations")),
  };
}

/**
 * What the catalog has for an operator. `other`: a channel to change to; `own`: the Subscription's channel has the version, and OLM has
 * not offered it; `none`: no channel helps; `noPackage`: the catalogs lack the package. Undefined if the catalog could not be read.
 */
export type CatalogOffer =
  | { readonly kind: "other" | "own"; readonly channel: CatalogChannel; readonly all: readonly CatalogChannel[] }
  | { readonly kind: "none"; readonly all: readonly CatalogChannel[] }
  | { readonly kind: "noPackage" };

/** A package of another catalog, or versions that can't be compared, say nothing. */
export function findOffer(
  found: GetResult<CatalogPackage> | undefined,
  installed: string | undefined,
  subscription: Subscribed,
  context: Context,
): CatalogOffer | undefined {
  if (found === undefined) return undefined;
  if (found.kind === "absent") return found.what === "object" ? { kind: "noPackage" } : undefined;
  const { source, defaultChannel, channels } = found.value;
  const present = parseVersion(installed ?? "");
  const isComparable = channels.every(({ name, version }) => name !== "" && version !== undefined);
  if (source !== subscription.source || present === undefined || !isComparable) return undefined;
  const all = channels.toSorted((a, b) => compareChannels(a, b, defaultChannel));
  const helping = all.filter(
    ({ version, last }) => version !== undefined && compareVersions(version, present) > 0 && allows(last, context),
  );
  const ownName = subscription.channel ?? defaultChannel;
  const own = helping.find(({ name }) => name === ownName);
  if (own !== undefined) return { kind: "own", channel: own, all };
  const [channel] = helping;
  return channel === undefined ? { kind: "none", all } : { kind: "other", channel, all };
}

/** A version that declares nothing supports every release, to OLM. */
function allows(last: LastRelease, { target }: Context): boolean {
  return last.kind === "none" || (last.kind === "release" && reachesTarget(last, target));
}

/** The smallest step first, for which OLM most likely has a way; previews come last, and of equal versions the default channel's first. */
function compareChannels(a: CatalogChannel, b: CatalogChannel, defaultChannel: string): number {
  const isLater = (flag: (channel: CatalogChannel) => boolean): number => Number(flag(a)) - Number(flag(b));
  return (
    isLater(isPreview) ||
    (a.version && b.version ? compareVersions(a.version, b.version) : 0) ||
    isLater(({ name }) => name !== defaultChannel) ||
    compareText(a.name, b.name)
  );
}

/** "2.0.0-rc.1", but not "4.18.0-202501010000", whose number is that of a build. */
function isPreview({ version }: CatalogChannel): boolean {
  return version?.pre.some((part) => /[a-z]/i.test(part)) === true;
}
