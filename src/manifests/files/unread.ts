import { TOO_LARGE } from "../../files/named-file.ts";
import { errorCode, formatError } from "../../model/errors.ts";
import type { ManifestPlace, UnreadManifest } from "../../model/manifest.ts";

/** Of a file as a whole, unless a place in it is known. */
export function buildUnread(
  reason: UnreadManifest["reason"],
  place: string | ManifestPlace,
  message: string,
): UnreadManifest {
  return { reason, place: typeof place === "string" ? { file: place, line: 1, column: 1 } : place, message };
}

/** Of what a file could not be read for. */
export function buildUnreadable(file: string, thrown: unknown): UnreadManifest {
  return buildUnread(errorCode(thrown) === TOO_LARGE ? "TooLarge" : "NotAFile", file, formatError(thrown));
}
