// Installs every artefact in dist/release from scratch in an empty folder, runs it, and prints sizes and start-up times: `npm run release:try`
import assert from "node:assert/strict";
import { copyFile, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withTemporaryFolder } from "../shared/temporary-folder.ts";
import V8_FLAGS from "../../tools/v8-flags.json" with { type: "json" };
import { computeSha256, formatSums } from "../../tools/release/downloads.ts";
import { PLUGIN } from "../../tools/release/krew.ts";
import { PLATFORMS, type BuildPlatform, selectEmulator } from "../../tools/release/platform.ts";
import { type Project, readProject, ROOT } from "../../tools/release/project.ts";
import { run } from "../shared/run.ts";
import { tryKrew } from "./try-krew.ts";
import { type InstalledRoot, installSystemPackages, installWithScript } from "./try-system.ts";
import { measureStarts, type NamedStart } from "./start-up.ts";

const ROUNDS = 20;
const RELEASE = join(ROOT, "dist", "release");
const CLUSTER = join(ROOT, "demo");
const TARGET = join(ROOT, "demo", "release");
const DEMO = ["check", "--recorded", CLUSTER, "--target", TARGET, "--fail-on", "never"];
const DEMO_RESULT = /^Don't update yet\. 4\.17\.20 -> 4\.18\.6: 5 risks/;

async function tryRelease(folder: string): Promise<void> {
  const project = await readProject();
  await trySums();
  const starts = await tryNpmPackage(folder, project);
  for (const platform of PLATFORMS) {
    starts.push(...(await tryExecutable(folder, project, platform)));
    for (const root of await installSystemPackages(RELEASE, folder, project, platform))
      await tryInstalled(root, project, platform);
  }
  await tryScript(folder, project);
  await tryManifests(project);
  await tryPlugin(folder, project);
  const floor: NamedStart = { name: "node -e 0", command: process.execPath, args: ["-e", "0"] };
  measureStarts([floor, ...starts], ROUNDS, print);
}

async function trySums(): Promise<void> {
  const names = (await readdir(RELEASE)).filter((name) => name !== "SHA256SUMS");
  const files = await Promise.all(
    names.map(async (name) => ({ name, sha256: computeSha256(await readFile(join(RELEASE, name))) })),
  );
  assert.equal(formatSums(files), await readFile(join(RELEASE, "SHA256SUMS"), "utf8"));
  for (const name of names) print(`${name}: ${(await stat(join(RELEASE, name))).size} bytes, sum right`);
}

async function tryNpmPackage(parent: string, { name, version }: Project): Promise<NamedStart[]> {
  const folder = join(parent, "npm");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  const packed = join(RELEASE, `${name}-${version}.tgz`);
  await run("npm", ["install", "--offline", "--engine-strict=false", packed], folder);
  const bin = join(folder, "node_modules", ".bin");
  await symlink(process.execPath, join(bin, "node"));
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
  const text = await run("npx", ["--offline", "preflight", ...DEMO], folder, env);
  assert.match(text, DEMO_RESULT);
  assert.match(
    await run(join(bin, "kubectl-preflight_update"), ["list", "--help"], folder, env),
    /kubectl preflight-update list/,
  );
  print(`${name}-${version}.tgz: npx runs it`);
  const bundle = join(folder, "node_modules", name, "preflight");
  return [{ name: "npm package", command: process.execPath, args: [...V8_FLAGS, bundle, "--version"] }];
}

/** From the archive, as krew and Homebrew install it, and from the bare file. */
async function tryExecutable(parent: string, { version }: Project, platform: BuildPlatform): Promise<NamedStart[]> {
  const name = `preflight-${version}-${platform.oci.os}-${platform.oci.architecture}`;
  const folder = join(parent, platform.oci.architecture);
  await mkdir(folder);
  await run("tar", ["-xzf", join(RELEASE, `${name}.tar.gz`)], folder);
  await copyFile(join(RELEASE, name), join(folder, name));
  await symlink("preflight", join(folder, "kubectl-preflight_update"));
  const emulator = selectEmulator(platform);
  const runFile = (file: string, ...args: readonly string[]): Promise<string> => {
    const [command, ...first] = [...emulator, join(folder, file)];
    return run(command, [...first, ...args], folder, {});
  };
  assert.equal(await runFile(name, "--version"), `preflight ${version}\n`);
  assert.match(await runFile("kubectl-preflight_update", "list", "--help"), /kubectl preflight-update list/);
  if (emulator.length > 0) {
    print(`${name}: starts under ${emulator[0]}`);
    return [];
  }
  assert.match(await runFile("preflight", ...DEMO), DEMO_RESULT);
  print(`${name}: checks the demo`);
  return [{ name, command: join(folder, name), args: ["--version"] }];
}

async function tryInstalled(root: InstalledRoot, { version }: Project, platform: BuildPlatform): Promise<void> {
  if (root.kind === "notTried") return print(`${root.name}: not tried here: ${root.reason}`);
  const { name, bin } = root;
  const emulator = selectEmulator(platform);
  const runFile = (file: string, ...args: readonly string[]): Promise<string> => {
    const [command, ...first] = [...emulator, join(bin, file)];
    return run(command, [...first, ...args], bin, {});
  };
  assert.equal(await runFile("preflight", "--version"), `preflight ${version}\n`);
  if (emulator.length === 0) {
    assert.match(await runFile("kubectl-preflight_update", "list", "--help"), /kubectl preflight-update list/);
    assert.match(await runFile("preflight", ...DEMO), DEMO_RESULT);
  }
  await root.remove?.();
  const seen = emulator.length === 0 ? "checks the demo" : `starts under ${emulator[0]}`;
  print(
    `${name}: installed on an empty root, ${seen}${root.remove === undefined ? "" : ", leaves nothing when removed"}`,
  );
}

async function tryScript(parent: string, project: Project): Promise<void> {
  const platform = findOwnPlatform();
  if (platform === undefined) return print("install.sh: not tried here: it is for Linux");
  const name = nameArchive(project, platform);
  const root = await installWithScript(RELEASE, parent, (folder) => writeFile(join(folder, name), "changed"));
  await tryInstalled(root, project, platform);
}

async function tryPlugin(parent: string, project: Project): Promise<void> {
  const platform = findOwnPlatform();
  if (platform === undefined) return print(`${PLUGIN}.yaml: not tried here: it is for Linux`);
  const seen = await tryKrew(RELEASE, nameArchive(project, platform), join(parent, "krew"), async (runPlugin) => {
    assert.match(await runPlugin("list", "--help"), /kubectl preflight-update list/);
    assert.match(await runPlugin(...DEMO), DEMO_RESULT);
  });
  print(`${PLUGIN}.yaml: ${seen}`);
}

function findOwnPlatform(): BuildPlatform | undefined {
  return PLATFORMS.find((one) => selectEmulator(one).length === 0);
}

function nameArchive({ version }: Project, { oci }: BuildPlatform): string {
  return `preflight-${version}-${oci.os}-${oci.architecture}.tar.gz`;
}

/** Homebrew is no package of npm's or Debian's: what the manifests name has to be there, with its sum. */
async function tryManifests({ name }: Project): Promise<void> {
  const sums = await readFile(join(RELEASE, "SHA256SUMS"), "utf8");
  for (const manifest of ["preflight-update.yaml", `${name}.rb`]) {
    const text = await readFile(join(RELEASE, manifest), "utf8");
    const files = [...text.matchAll(/ur[il]:? "?(\S+?\/([^/\s"]+))"?\n\s+sha256:? "?([0-9a-f]{64})/g)];
    assert.ok(files.length >= PLATFORMS.length, manifest);
    for (const [, , file = "", sum = ""] of files)
      assert.ok(sums.includes(`${sum}  ${file}\n`), `${manifest}: ${file}`);
    print(`${manifest}: names ${files.length} files, each with its sum`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await withTemporaryFolder("release", tryRelease);
