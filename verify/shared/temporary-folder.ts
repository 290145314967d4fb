import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

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

/** A folder for the tests of a file or a group, which goes after the last of them. */
export function createTemporaryFolder(name = "test"): string {
  const folder = mkdtempSync(join(tmpdir(), `preflight-${name}-`));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
