import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackedFile } from "../../src/encoding/tar-writer.ts";
import { packArchive } from "./archive.ts";
import { type Project, ROOT } from "./project.ts";

/** The bundle as a package that `npx` and `npm install` run. Its own package.json says that it is CommonJS, whatever is around it. */
export async function buildNpmPackage(project: Project, bundleFolder: string): Promise<Buffer> {
  const [bundle, licenses] = await readAll(bundleFolder, ["preflight", "licenses.txt"]);
  const [license, readme] = await readAll(ROOT, ["LICENSE", "README.md"]);
  const files: readonly PackedFile[] = [
    { name: "package/package.json", bytes: Buffer.from(`${JSON.stringify(describePackage(project), null, 2)}\n`) },
    { name: "package/preflight", bytes: bundle, isExecutable: true },
    { name: "package/licenses.txt", bytes: licenses },
    { name: "package/LICENSE", bytes: license },
    { name: "package/README.md", bytes: readme },
  ];
  return packArchive(files);
}

/** npx runs a package with several names for one file by any of them. */
function describePackage(project: Project): object {
  const bin = { preflight: "preflight", "kubectl-preflight_update": "preflight" };
  return { ...project, type: "commonjs", bin };
}

async function readAll(folder: string, names: readonly [string, string]): Promise<readonly [Buffer, Buffer]> {
  return [await readFile(join(folder, names[0])), await readFile(join(folder, names[1]))];
}
