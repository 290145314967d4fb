import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * The folder of another project's repository, which whoever runs the tests has checked out as PREFLIGHT_CHECKOUTS/OWNER/NAME; undefined
 * without it. Nothing is fetched.
 */
export function findCheckout(repository: string): string | undefined {
  const root = process.env["PREFLIGHT_CHECKOUTS"];
  const folder = root === undefined ? undefined : join(root, repository);
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}

export function explainCheckout(repository: string): string {
  return `there is no checkout of ${repository} (set PREFLIGHT_CHECKOUTS to the folder with OWNER/NAME)`;
}
