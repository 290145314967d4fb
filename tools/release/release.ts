// Makes everything that a release consists of in dist/release:
// `npm run release [-- --url URL] [--image-base IMAGE|default|local|none] [--builder-id URI]`
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EMBEDDED_LIST } from "../../src/checks/known-bugs/bug-data.ts";
import { packArchive } from "./archive.ts";
import { computeSha256, formatSums, type PlatformDownload } from "./downloads.ts";
import { formatHomebrewFormula } from "./homebrew.ts";
import { buildImageArchive, LOCAL, NO_IMAGES } from "./images.ts";
import { findBases, type ImageBase, requireDigests } from "./image-bases.ts";
import { buildImageSbom } from "./image-sbom.ts";
import { formatKrewManifest, PLUGIN } from "./krew.ts";
import { readLockedPackages } from "./lockfile.ts";
import { buildNpmPackage } from "./npm-package.ts";
import { PLATFORMS, type BuildPlatform } from "./platform.ts";
import { type Project, readProject, ROOT } from "./project.ts";
import { buildProvenance, findCommit, type Written } from "./provenance.ts";
import { run } from "../../verify/shared/run.ts";
import { type Bom, buildSbom, formatBom } from "./sbom.ts";
import { buildSingleExecutable } from "./single-executable.ts";

const RELEASE = join(ROOT, "dist", "release");
const BUNDLE = join(ROOT, "dist", "bundle");
/** Never a real host (RFC 2606). */
const NO_URL = "https://downloads.invalid/target-release-preflight/";
const NO_BUILDER = "urn:target-release-preflight:unnamed-builder";
const DEFAULT_BASE = "default";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: NO_URL },
    "image-base": { type: "string", default: DEFAULT_BASE },
    "builder-id": { type: "string", default: NO_BUILDER },
  },
});

/** For those who write checks of their own; the executable has them without their texts. */
const EDITOR_SCHEMAS = [
  "preflight-check-v1alpha1.schema.json",
  "preflight-case-v1.schema.json",
  "preflight-known-bugs-v1alpha1.schema.json",
  "preflight-check-index-v1alpha1.schema.json",
];

async function release(url: string, imageBase: string, builder: string): Promise<void> {
  const bases = await selectBases(imageBase);
  const commit = await findCommit();
  if (commit === undefined)
    process.stderr.write("release: the provenance names no commit: these are not exactly the sources of one\n");
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
  const sbom = await buildSbom(project, BUNDLE);
  written.push(
    await write(`${PLUGIN}.yaml`, formatKrewManifest(project, executables)),
    await write(`${project.name}.rb`, formatHomebrewFormula(project, npmDownload, executables)),
    await write(`${project.name}-${project.version}.cdx.json`, formatBom(sbom)),
  );
  written.push(await writeKnownBugs());
  for (const name of EDITOR_SCHEMAS) written.push(await write(name, await readFile(join(ROOT, "schemas", name))));
  if (imageBase !== NO_IMAGES) written.push(...(await writeImages(project, imageBase, sbom, bases)));
  const packages = await readLockedPackages();
  const provenance = buildProvenance(project, written, { url, imageBase, builder, commit, bases, packages });
  written.push(await write(`${project.name}-${project.version}.intoto.jsonl`, provenance));
  await write("SHA256SUMS", formatSums(written));
}

/** The images that the Dockerfile begins with; another one may be the last stage's. A local base stands for all of them. */
async function selectBases(imageBase: string): Promise<readonly ImageBase[]> {
  if (imageBase === LOCAL || imageBase === NO_IMAGES) return [];
  const bases = findBases(await readFile(join(ROOT, "Dockerfile"), "utf8")).map((base) =>
    base.name === "BASE" && imageBase !== DEFAULT_BASE ? { ...base, image: imageBase } : base,
  );
  requireDigests(bases);
  return bases;
}

async function writeExecutable(
  { version }: Project,
  platform: BuildPlatform,
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

/** For users of an earlier version. */
async function writeKnownBugs(): Promise<Written> {
  const file = join(BUNDLE, "known-bugs.tar");
  const bugs = "src/checks/known-bugs/bugs";
  await run(process.execPath, [join(BUNDLE, "preflight"), "checks", "pack", bugs, "--output", file], ROOT);
  return write(`known-bugs-${EMBEDDED_LIST.head.date}.tar`, await readFile(file));
}

async function writeImages(
  { name: project, version }: Project,
  imageBase: string,
  sbom: Bom,
  bases: readonly ImageBase[],
): Promise<readonly Written[]> {
  const written: Written[] = [];
  const base = bases.find(({ name }) => name === "BASE")?.image ?? imageBase;
  for (const platform of PLATFORMS) {
    const name = `preflight-${version}-image-${platform.oci.os}-${platform.oci.architecture}`;
    const archive = await buildImageArchive(platform, imageBase, `localhost/${project}:${version}`);
    written.push(await write(`${name}.tar`, archive));
    written.push(await write(`${name}.cdx.json`, formatBom(await buildImageSbom(sbom, archive, base))));
  }
  return written;
}

async function write(name: string, contents: string | Uint8Array, mode = 0o644): Promise<Written> {
  const bytes = Buffer.from(contents);
  await writeFile(join(RELEASE, name), bytes, { mode });
  process.stderr.write(`release: dist/release/${name}: ${bytes.length} bytes\n`);
  return { name, sha256: computeSha256(bytes) };
}

await release(values.url, values["image-base"], values["builder-id"]);
