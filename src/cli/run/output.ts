import { stat } from "node:fs/promises";
import { UsageError } from "../../model/errors.ts";

/** Where a document goes. */
export type Output = { readonly kind: "file"; readonly path: string } | { readonly kind: "stdout" };

/** The folder that the running cluster-version operator shares with payloads. It empties it with `rm -fR ./*`, which spares names with a dot. */
const SHARED_FOLDER = "/etc/cvo/updatepayloads";
/** Where the runner writes and the controller reads. */
export const DEFAULT_DOCUMENT = `${SHARED_FOLDER}/.preflight/preflight-v1.json`;

export async function selectOutput(given: string | undefined, interval: number): Promise<Output> {
  if (given !== undefined) return { kind: "file", path: given };
  if (await isFolder(SHARED_FOLDER)) return { kind: "file", path: DEFAULT_DOCUMENT };
  if (interval === 0) return { kind: "stdout" };
  throw new UsageError(
    `there is no ${SHARED_FOLDER} to write the document to: give --output FILE, or --interval 0 to print it once`,
  );
}

async function isFolder(path: string): Promise<boolean> {
  const entry = await stat(path).catch(() => undefined);
  return entry?.isDirectory() ?? false;
}
