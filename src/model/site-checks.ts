import { quoteArgument } from "./commands.ts";
import { sortNames } from "./names.ts";
import type { SiteOrigin } from "./site-origin.ts";

/** The ConfigMap in preflight's namespace with an administrator's checks, and the folder in which a pod has it: both may be absent. */
export const CHECKS_CONFIG_MAP = "preflight-checks";
export const CHECKS_FOLDER = "/etc/preflight-checks";
const CONFIG_MAP_PREFIX = `ConfigMap ${CHECKS_CONFIG_MAP} `;

/** "ConfigMap preflight-checks csi.yaml" for a file in the runner's folder: people know it by that name. */
export function getCheckFileName(path: string): string {
  return path.startsWith(`${CHECKS_FOLDER}/`) ? `${CONFIG_MAP_PREFIX}${path.slice(CHECKS_FOLDER.length + 1)}` : path;
}

/** The flags that name the files of checks, " --checks csi.yaml"; none for checks of this build. The files of a ConfigMap are not at hand. */
export function formatChecksFlags(origins: readonly (SiteOrigin | undefined)[]): string {
  const files = origins.flatMap((origin) => (origin === undefined ? [] : [origin.file]));
  const words = files.map((file) => (file.startsWith(CONFIG_MAP_PREFIX) ? "FILE" : quoteArgument(file)));
  return sortNames(words)
    .map((word) => ` --checks ${word}`)
    .join("");
}

/** Ends every text of such a check, so that nobody takes it for the release's own. */
export function formatOrigin(origin: SiteOrigin | undefined): string {
  return origin === undefined ? "" : ` (From the administrator's check ${origin.file}.)`;
}

/** No risk of this build begins so. */
const SITE_RISK = /^(?:Site|Olm)[A-Z0-9]/;

/** So that risks of others never displace many of this build's. */
const MAX_SITE_RISKS = 15;

/** Separates the risks of checks that this build does not have, beyond the most that one document or ClusterVersion may hold. */
export function limitSiteRisks<Risk>(
  risks: readonly Risk[],
  getName: (risk: Risk) => string,
): { readonly within: readonly Risk[]; readonly beyond: readonly Risk[] } {
  const beyond = new Set(risks.filter((risk) => SITE_RISK.test(getName(risk))).slice(MAX_SITE_RISKS));
  return { within: risks.filter((risk) => !beyond.has(risk)), beyond: [...beyond] };
}
