import { stat } from "node:fs/promises";
import { UsageError } from "../../../model/errors.ts";
import { DEFAULT_DOCUMENT, SHARED_FOLDER } from "../../settings/shared-settings.ts";

/** Where the document is written. */
export type Output = { readonly kind: "file"; readonly path: string } | { readonly kind: "stdout" };

export async function selectOutput(given: string | undefined, interval: number): Promise<Output> {
  if (given !== undefined) return { kind: "file", path: given };
  if (await isFolder(SHARED_FOLDER)) return { kind: "file", path: DEFAULT_DOCUMENT };
  if (interval === 0) return { kind: "stdout" };
  throw new UsageError(
    `${SHARED_FOLDER} does not exist, so the document needs another place: use --document FILE, or --interval 0 to print it once`,
  );
}

async function isFolder(path: string): Promise<boolean> {
  const entry = await stat(path).catch(() => undefined);
  return entry?.isDirectory() ?? false;
}
