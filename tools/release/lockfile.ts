import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./project.ts";

/** `name`: if the package stands under another one's name. */
export type LockedPackage = { readonly name?: string; readonly version: string; readonly integrity?: string };
/** The packages of the lockfile by their folders; the project itself by "". */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export async function readLockedPackages(): Promise<LockedPackages> {
  const lockfile: { readonly packages: LockedPackages } = JSON.parse(
    await readFile(join(ROOT, "package-lock.json"), "utf8"),
  );
  return lockfile.packages;
}
