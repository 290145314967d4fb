import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes a folder, which goes when `use` has ended. */
export async function withTemporaryFolder<T>(
  name: string,
  use: (folder: string) => T | Promise<T>,
  parent = tmpdir(),
): Promise<T> {
  const folder = mkdtempSync(join(parent, `preflight-${name}-`));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
