import { quoteArgument } from "./commands.ts";
import type { CheckSubject } from "./halves.ts";
import { sortNames } from "./text.ts";
import { toLine } from "./visible-text.ts";

/** Who brings a check. `release`: the version of the target whose payload has it. */
export type CheckSource =
  | { readonly kind: "embedded" }
  | { readonly kind: "site" }
  | { readonly kind: "payload"; readonly release: string }
  | { readonly kind: "operator"; readonly package: string; readonly version: string }
  | NamespaceSource;

/** A namespace whose ConfigMaps an administrator trusts; `selector`: those with these labels only. */
type NamespaceSource = { readonly kind: "namespace"; readonly namespace: string; readonly selector?: string };

/** Where a check comes from that this build does not have, or its list of known bugs. `file`: as people know it, a path or a key of a ConfigMap. */
export type CheckOrigin = (Exclude<CheckSource, { readonly kind: "embedded" }> | ListSource) & {
  readonly file: string;
  /** Of the file's text, "sha256:...". */
  readonly digest?: string;
};

/** The check is this build's, with another list. */
type ListSource = { readonly kind: "knownBugs"; readonly list: string; readonly date: string };

/** Begins the texts of such a check: nothing that its author writes stands before it or cuts it off. Of a list, the check says it once. */
export function formatOrigin(origin: CheckOrigin | undefined): string {
  return origin === undefined || origin.kind === "knownBugs" ? "" : `From ${describeOrigin(origin)}: `;
}

/** A text of a check on one line, which says whose it is unless it is this build's. */
export function attribute(text: string, origin: CheckOrigin | undefined): string {
  return origin === undefined ? text : `${formatOrigin(origin)}${toLine(text)}`;
}

/** Stands beside names and commands: "operator strimzi-kafka-operator 0.45.0", or the flag that names files. */
export function nameOrigin(origin: CheckOrigin): string {
  if (origin.kind === "site") return "--checks";
  return origin.kind === "knownBugs" ? "--known-bugs" : describeOrigin(origin);
}

/** "the administrator's check csi.yaml" */
export function describeOrigin(origin: CheckOrigin): string {
  switch (origin.kind) {
    case "site":
      return `the administrator's check ${origin.file}`;
    case "knownBugs":
      return `the list of known bugs ${origin.list} of ${origin.date}`;
    case "payload":
    case "operator":
    case "namespace":
      return describeSource(origin);
  }
}

/** "operator strimzi-kafka-operator 0.45.0" */
export function describeSource(source: CheckSource): string {
  switch (source.kind) {
    case "embedded":
      return "preflight";
    case "site":
      return "the administrator";
    case "payload":
      return `release ${source.release}`;
    case "operator":
      return `operator ${source.package} ${source.version}`;
    case "namespace":
      return `namespace ${source.namespace}`;
  }
}

/** So that no name of a risk gets longer than a document may have. */
const MOST_OF_OWNER = 50;

/** The name of a package or a namespace as a part of ids; empty if nothing of it can be. */
export function toIdPart(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MOST_OF_OWNER)
    .replaceAll(/^-|-$/g, "");
}

/** What begins the ids of a source's checks. */
export function getIdPrefix(source: CheckSource): string {
  switch (source.kind) {
    case "embedded":
      return "";
    case "operator":
      return `olm-${source.package}-`;
    case "namespace":
      return `ns-${toIdPart(source.namespace)}-`;
    case "site":
    case "payload":
      return `${source.kind}-`;
  }
}

/** What the configuration calls a vendor to whom it grants reads: "olm/strimzi-kafka-operator", "ns/shop". */
export function formatGrantee(origin: CheckOrigin | undefined): string {
  if (origin?.kind === "namespace") return `ns/${origin.namespace}`;
  return `olm/${origin?.kind === "operator" ? origin.package : "PACKAGE"}`;
}

/** The value of --checks-from that trusts a namespace. */
export function formatTrustedNamespace({ namespace, selector }: Omit<NamespaceSource, "kind">): string {
  return `configmaps=${namespace}${selector === undefined ? "" : `/${selector}`}`;
}

/** The ConfigMap in preflight's namespace with an administrator's checks, and the folder in which a pod has it: both may be absent. */
export const CHECKS_CONFIG_MAP = "preflight-checks";
export const CHECKS_FOLDER = "/etc/preflight-checks";
/** The same for a list of known bugs. */
export const KNOWN_BUGS_CONFIG_MAP = "preflight-known-bugs";
export const KNOWN_BUGS_FOLDER = "/etc/preflight-known-bugs";
const CONFIG_MAPS = [CHECKS_CONFIG_MAP, KNOWN_BUGS_CONFIG_MAP];

/** "ConfigMap preflight-checks csi.yaml" for a file in the runner's folder: people know it by that name. */
export function getCheckFileName(path: string): string {
  if (path === KNOWN_BUGS_FOLDER) return `ConfigMap ${KNOWN_BUGS_CONFIG_MAP}`;
  const folder = [CHECKS_FOLDER, KNOWN_BUGS_FOLDER].find((one) => path.startsWith(`${one}/`));
  if (folder === undefined) return path;
  const configMap = folder === CHECKS_FOLDER ? CHECKS_CONFIG_MAP : KNOWN_BUGS_CONFIG_MAP;
  return `ConfigMap ${configMap} ${path.slice(folder.length + 1)}`;
}

/** A check, as far as it decides on the rights that it needs. */
export type RightsHolder = { readonly origin?: CheckOrigin; readonly subject?: CheckSubject };

/** The flags that bring checks of these origins, " --checks csi.yaml"; none for checks of this build. The files of a ConfigMap are not at hand. */
export function formatChecksFlags(origins: readonly (CheckOrigin | undefined)[]): string {
  const flags = origins.flatMap((origin) => (origin === undefined ? [] : [formatChecksFlag(origin)]));
  return sortNames(flags)
    .map((flag) => ` ${flag}`)
    .join("");
}

/** With which `preflight rbac` prints the rights of these checks. */
export function formatRightsFlags(checks: readonly RightsHolder[]): string {
  const hosted = checks.some(({ subject }) => subject === "HostedCluster") ? " --hosted-clusters" : "";
  return `${hosted}${formatChecksFlags(checks.map(({ origin }) => origin))}`;
}

function formatChecksFlag(origin: CheckOrigin): string {
  const { kind, file } = origin;
  if (kind === "payload") return "--target DIR";
  if (kind === "operator") return "--checks-from payload,operators";
  if (kind === "namespace") return `--checks-from payload,${quoteArgument(formatTrustedNamespace(origin))}`;
  const word = CONFIG_MAPS.some((name) => file.startsWith(`ConfigMap ${name}`)) ? "FILE" : quoteArgument(file);
  return `--${kind === "knownBugs" ? "known-bugs" : "checks"} ${word}`;
}

/** Whether a risk is one of the checks of an administrator, an operator or a namespace: no other begins so. */
export function isOthersRisk(name: string): boolean {
  return /^(?:Site|Olm|Ns)[A-Z0-9]/.test(name);
}

/** So that risks of others never displace many of this build's. */
const MAX_SITE_RISKS = 15;

/** Separates the risks of administrators and vendors, beyond the most that one document or ClusterVersion may hold. */
export function limitSiteRisks<Risk>(
  risks: readonly Risk[],
  getName: (risk: Risk) => string,
): { readonly within: readonly Risk[]; readonly beyond: readonly Risk[] } {
  const others = risks.filter((risk) => isOthersRisk(getName(risk)));
  const isSite = (risk: Risk): boolean => getName(risk).startsWith("Site");
  const site = others.filter(isSite);
  const vendors = others.filter((risk) => !isSite(risk));
  // Neither takes the places of the other: each may fill half of them, and what the other leaves.
  const ofSite = Math.max(Math.ceil(MAX_SITE_RISKS / 2), MAX_SITE_RISKS - vendors.length);
  const ofVendors = MAX_SITE_RISKS - Math.min(site.length, ofSite);
  const beyond = new Set([...site.slice(ofSite), ...vendors.slice(ofVendors)]);
  return { within: risks.filter((risk) => !beyond.has(risk)), beyond: [...beyond] };
}
