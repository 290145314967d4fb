/** Defined by the build: the folder of the project's downloads, from the file PROJECT_URL. A run from source has none. */
declare const PREFLIGHT_URL: string | undefined;

/** Undefined while the project has no address: nobody is sent to a placeholder. */
export const DOWNLOAD_URL =
  typeof PREFLIGHT_URL === "string" && !isPlaceholder(PREFLIGHT_URL) ? PREFLIGHT_URL : undefined;

/** Names that no host can have (RFC 2606). */
export function isPlaceholder(url: string): boolean {
  return /(?:^|\.)(?:invalid|example|example\.(?:com|net|org))$/.test(new URL(url).hostname);
}
