import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import { withTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { type LockedPackage, readLockedPackages } from "./lockfile.ts";
import type { BuildPlatform } from "./platform.ts";
import { ROOT } from "./project.ts";
import { run } from "../../verify/shared/run.ts";

/** The folder of the package with a platform's Node, of the version in the lockfile: npm installs this machine's only, so others are fetched. */
export async function provideNode({ node }: BuildPlatform): Promise<string> {
  const name = `node-${node.os}-${node.cpu}`;
  const installed = join(ROOT, "node_modules", name);
  if (existsSync(join(installed, "bin", "node"))) return installed;
  const locked = await readLocked(name);
  const folder = join(ROOT, "dist", "node", `${name}-${locked.version}`);
  if (!existsSync(folder)) await fetchPackage(name, locked, folder);
  return folder;
}

async function readLocked(name: string): Promise<LockedPackage> {
  const locked = (await readLockedPackages())[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`package-lock.json has no ${name}`);
  return locked;
}

async function fetchPackage(name: string, { version, integrity }: LockedPackage, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const fetch = async (work: string): Promise<void> => {
    await run("npm", ["pack", `${name}@${version}`, "--silent", "--pack-destination", work], ROOT);
    const packed = await readFile(join(work, `${name}-${version}.tgz`));
    requireIntegrity(name, packed, integrity);
    await unpack(packed, join(work, "package"), ["bin/node", "LICENSE"]);
    await rename(join(work, "package"), folder);
  };
  await withTemporaryFolder("fetch", fetch, dirname(folder));
}

function requireIntegrity(name: string, bytes: Uint8Array, integrity: string | undefined): void {
  const found = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  if (found !== integrity)
    throw new Error(`${name}: the package is not the one that package-lock.json names (${found})`);
}

async function unpack(packed: Uint8Array, folder: string, names: readonly string[]): Promise<void> {
  const entries = await unpackTar(gunzipSync(packed));
  for (const name of names) {
    const data = entries.find(({ header }) => header.name === `package/${name}`)?.data;
    if (data === undefined) throw new Error(`${folder}: the package has no ${name}`);
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, data);
    await chmod(path, 0o755);
  }
}
