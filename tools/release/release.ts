// Makes everything that a release consists of in dist/release:
// `npm run release [-- --trial] [--image-base IMAGE|default|local|none] [--builder-id URI]`
// --trial makes files that are not for publishing: PROJECT_URL may be a placeholder then.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EMBEDDED_LIST } from "../../src/checks/known-bugs/bug-data.ts";
import { NEWEST_LIST } from "../../src/model/list-age.ts";
import { packArchive } from "./archive.ts";
import { computeSha256, formatSums, type PlatformDownload } from "./downloads.ts";
import { formatHomebrewFormula } from "./homebrew.ts";
import { buildImageArchive, LOCAL, NO_IMAGES } from "./images.ts";
import { findBases, type ImageBase, requireDigests } from "./image-bases.ts";
import { buildImageSbom } from "./image-sbom.ts";
import { formatInstallScript } from "./install-script.ts";
import { formatKrewManifest, PLUGIN } from "./krew.ts";
import { readLockedPackages } from "./lockfile.ts";
import { buildNpmPackage } from "./npm-package.ts";
import { PLATFORMS, type BuildPlatform } from "./platform.ts";
import { listObstacles, type Project, readProject, readProjectUrl, ROOT } from "./project.ts";
import { buildProvenance, findCommit, type Written } from "./provenance.ts";
import { run } from "../../verify/shared/run.ts";
import { type Bom, buildSbom, formatBom } from "./sbom.ts";
import { buildSingleExecutable } from "./single-executable.ts";
import { buildDebianPackage } from "./system-packages/deb.ts";
import { listInstalledFiles, nameSystemPackages } from "./system-packages/installed-files.ts";
import { buildRpmPackage } from "./system-packages/rpm.ts";

const RELEASE = join(ROOT, "dist", "release");
const BUNDLE = join(ROOT, "dist", "bundle");
const NO_BUILDER = "urn:target-release-preflight:unnamed-builder";
const DEFAULT_BASE = "default";

const { values } = parseArgs({
  options: {
    trial: { type: "boolean", default: false },
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

async function release(isTrial: boolean, imageBase: string, builder: string): Promise<void> {
  const url = await readProjectUrl();
  const obstacles = isTrial ? [] : listObstacles(url);
  if (obstacles.length > 0)
    throw new Error(`nothing is made: ${obstacles.join("; ")}. Files that are not for publishing: --trial`);
  const bases = await selectBases(imageBase);
  const commit = await findCommit();
  if (commit === undefined)
    process.stderr.write("release: the provenance names no commit: these are not exactly the sources of one\n");
  await rm(RELEASE, { recursive: true, force: true });
  await mkdir(RELEASE, { recursive: true });
  await run(process.execPath, ["build.mjs", BUNDLE], ROOT);
  const project = await readProject();
  const sbom = await buildSbom(project, BUNDLE);
  const written = [
    ...(await writeProgram(project, url)),
    await write(`${project.name}-${project.version}.cdx.json`, formatBom(sbom)),
    ...(await writeKnownBugs()),
  ];
  for (const name of EDITOR_SCHEMAS) written.push(await write(name, await readFile(join(ROOT, "schemas", name))));
  written.push(await write("install.md", await readFile(join(ROOT, "docs", "install.md"))));
  if (imageBase !== NO_IMAGES) written.push(...(await writeImages(project, imageBase, sbom, bases)));
  const packages = await readLockedPackages();
  const provenance = buildProvenance(project, written, { url, imageBase, builder, commit, bases, packages });
  written.push(await write(`${project.name}-${project.version}.intoto.jsonl`, provenance));
  await write("SHA256SUMS", formatSums(written));
}

/** The program in each form but images, and what installs it. */
async function writeProgram(project: Project, url: string): Promise<readonly Written[]> {
  const npmPackage = await write(`${project.name}-${project.version}.tgz`, await buildNpmPackage(project, BUNDLE));
  const written = [npmPackage];
  const archives: PlatformDownload[] = [];
  for (const platform of PLATFORMS) {
    const { files, archive } = await writeExecutable(project, platform, url);
    written.push(...files, archive);
    archives.push({ platform, url: new URL(archive.name, url).href, sha256: archive.sha256 });
  }
  const npmDownload = { url: new URL(npmPackage.name, url).href, sha256: npmPackage.sha256 };
  const template = await readFile(join(import.meta.dirname, "install.sh"), "utf8");
  return [
    ...written,
    await write(`${PLUGIN}.yaml`, formatKrewManifest(project, archives)),
    await write(`${project.name}.rb`, formatHomebrewFormula(project, npmDownload, archives)),
    await write("install.sh", formatInstallScript(template, project, url, archives), 0o755),
  ];
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
  project: Project,
  platform: BuildPlatform,
  url: string,
): Promise<{ readonly files: readonly Written[]; readonly archive: Written }> {
  const { architecture } = platform.oci;
  const name = `preflight-${project.version}-${platform.oci.os}-${architecture}`;
  const { bytes, nodeLicense } = await buildSingleExecutable(platform, join(BUNDLE, "preflight"));
  const manPage = await readFile(join(ROOT, "docs", "preflight.1"));
  const licences = {
    LICENSE: await readFile(join(ROOT, "LICENSE")),
    "LICENSE.node": nodeLicense,
    "licenses.txt": await readFile(join(BUNDLE, "licenses.txt")),
  };
  const archive = await packArchive([
    { name: "preflight", bytes, isExecutable: true },
    { name: "preflight.1", bytes: manPage },
    ...Object.entries(licences).map(([file, text]) => ({ name: file, bytes: text })),
  ]);
  const installed = listInstalledFiles(project.name, { executable: bytes, manPage, licences });
  const { deb, rpm } = nameSystemPackages(project, architecture);
  return {
    files: [
      await write(name, bytes, 0o755),
      await write(deb, await buildDebianPackage(project, platform, url, installed)),
      await write(rpm, buildRpmPackage(project, platform, url, installed)),
    ],
    archive: await write(`${name}.tar.gz`, archive),
  };
}

/** For users of an earlier version: under its date, and under the name of the newest list. */
async function writeKnownBugs(): Promise<readonly Written[]> {
  const file = join(BUNDLE, "known-bugs.tar");
  const bugs = "src/checks/known-bugs/bugs";
  await run(process.execPath, [join(BUNDLE, "preflight"), "checks", "pack", bugs, "--output", file], ROOT);
  const names = [`known-bugs-${EMBEDDED_LIST.head.date}.tar`, NEWEST_LIST];
  const bytes = await readFile(file);
  return Promise.all(names.map((name) => write(name, bytes)));
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

await release(values.trial, values["image-base"], values["builder-id"]);
