// Makes everything that a release consists of in dist/release: `npm run release [-- --url URL]`
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packArchive } from "./archive.ts";
import { computeSha256, formatSums, type PlatformDownload } from "./downloads.ts";
import { formatHomebrewFormula } from "./homebrew.ts";
import { formatKrewManifest, PLUGIN } from "./krew.ts";
import { buildNpmPackage } from "./npm-package.ts";
import { PLATFORMS, type Platform } from "./platform.ts";
import { type Project, readProject, ROOT } from "./project.ts";
import { run } from "./run.ts";
import { buildSbom } from "./sbom.ts";
import { buildSingleExecutable } from "./single-executable.ts";

const RELEASE = join(ROOT, "dist", "release");
const BUNDLE = join(ROOT, "dist", "bundle");
/** Never a real host (RFC 2606). */
const NO_URL = "https://downloads.invalid/target-release-preflight/";

const { values } = parseArgs({
  options: { url: { type: "string", default: NO_URL } },
});

type Written = { readonly name: string; readonly sha256: string };

async function release(url: string): Promise<void> {
  await rm(RELEASE, { recursive: true, force: true });
  await mkdir(RELEASE, { recursive: true });
  await run(process.execPath, ["build.mjs", BUNDLE], ROOT);
  const project = await readProject();
  const base = new URL(url.endsWith("/") ? url : `${url}/`);
  const npmPackage = await write(`${project.name}-${project.version}.tgz`, await buildNpmPackage(project, BUNDLE));
  const executables: PlatformDownload[] = [];
  const written = [npmPackage];
  for (const platform of PLATFORMS) {
    const { executable, archive } = await writeExecutable(project, platform);
    written.push(executable, archive);
    executables.push({ platform, url: new URL(archive.name, base).href, sha256: archive.sha256 });
  }
  const npmDownload = { url: new URL(npmPackage.name, base).href, sha256: npmPackage.sha256 };
  written.push(
    await write(`${PLUGIN}.yaml`, formatKrewManifest(project, executables)),
    await write(`${project.name}.rb`, formatHomebrewFormula(project, npmDownload, executables)),
    await write(`${project.name}-${project.version}.cdx.json`, await buildSbom(project, BUNDLE)),
  );
  await write("SHA256SUMS", formatSums(written));
}

async function writeExecutable(
  { version }: Project,
  platform: Platform,
): Promise<{ readonly executable: Written; readonly archive: Written }> {
  const name = `preflight-${version}-${platform.oci.os}-${platform.oci.architecture}`;
  const { bytes, nodeLicense } = await buildSingleExecutable(platform, join(BUNDLE, "preflight"));
  const archive = await packArchive([
    { name: "preflight", bytes, isExecutable: true },
    { name: "LICENSE", bytes: await readFile(join(ROOT, "LICENSE")) },
    { name: "LICENSE.node", bytes: nodeLicense },
    { name: "licenses.txt", bytes: await readFile(join(BUNDLE, "licenses.txt")) },
  ]);
  return { executable: await write(name, bytes, 0o755), archive: await write(`${name}.tar.gz`, archive) };
}

async function write(name: string, contents: string | Uint8Array, mode = 0o644): Promise<Written> {
  const bytes = Buffer.from(contents);
  await writeFile(join(RELEASE, name), bytes, { mode });
  process.stderr.write(`release: dist/release/${name}: ${bytes.length} bytes\n`);
  return { name, sha256: computeSha256(bytes) };
}

await release(values.url);
