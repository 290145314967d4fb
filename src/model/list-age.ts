/** A list of known bugs that is older may lack what has been published since then. */
export const MAX_LIST_AGE_DAYS = 90;
/** The newest list, beside the files of the releases. */
export const NEWEST_LIST = "known-bugs.tar";

/** That a list is old, and how to get a newer one. `isOwn`: it is that of this build, and not one of --known-bugs. */
export function formatListAge(date: string, isOwn: boolean, url = DOWNLOAD_URL): string {
  return `Known bugs are listed up to ${date}: ${formatAdvice(isOwn, url)}`;
}

function formatAdvice(isOwn: boolean, url: string | undefined): string {
  const use = `"--known-bugs ${NEWEST_LIST}"`;
  if (!isOwn) return "use a newer list with --known-bugs, if there is one.";
  if (url === undefined) return `add ${use} of the newest release.`;
  return `run "curl -fLO ${new URL(NEWEST_LIST, url).href}" and add ${use}.`;
}

const AGE = /(?:^| )(Known bugs are listed up to (\d{4}-\d{2}-\d{2}): .*)$/;

/** What a text says of the age of a list. Nothing, if it only reads like that: the text may be of the author of a list. */
export function findListAge(text: string): string | undefined {
  const [, age, date] = AGE.exec(text) ?? [];
  if (age === undefined || date === undefined) return undefined;
  return [true, false].some((isOwn) => formatListAge(date, isOwn) === age) ? age : undefined;
}

/** The text without that. */
export function removeListAge(text: string): string {
  const age = findListAge(text);
  return age === undefined ? text : text.slice(0, text.length - age.length).trimEnd();
}

/** Defined by the build: the folder of the project's downloads, from the file PROJECT_URL. A run from source has none. */
declare const PREFLIGHT_URL: string | undefined;

/** Undefined while the project has no address: nobody is sent to a placeholder. */
const DOWNLOAD_URL = typeof PREFLIGHT_URL === "string" && !isPlaceholder(PREFLIGHT_URL) ? PREFLIGHT_URL : undefined;

/** Names that no host can have (RFC 2606). */
export function isPlaceholder(url: string): boolean {
  return /(?:^|\.)(?:invalid|example|example\.(?:com|net|org))$/.test(new URL(url).hostname);
}
