import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BuildPlatform, selectEmulator } from "../../tools/release/platform.ts";
import type { Project } from "../../tools/release/project.ts";
import { run } from "../shared/run.ts";
import { nameSystemPackages } from "../../tools/release/system-packages/installed-files.ts";
import { installWithClient, RPM_CLIENTS } from "./try-rpm-clients.ts";

/** A root that something was installed into, by the name of what was installed; or why it could not be tried here. */
export type InstalledRoot =
  | {
      readonly kind: "installed";
      readonly name: string;
      readonly bin: string;
      /** Removes it, and shows that nothing of it is left. */
      readonly remove?: () => Promise<void>;
    }
  | { readonly kind: "notTried"; readonly name: string; readonly reason: string };

type Removal = () => Promise<unknown>;
/** Installs into a root, and resolves with what removes it again. */
type Install = (root: string) => Promise<Removal>;

/** Installs both packages of a platform on empty roots. dpkg and rpm say nothing of dependencies; dnf and zypper resolve them. */
export async function installSystemPackages(
  release: string,
  parent: string,
  project: Project,
  platform: BuildPlatform,
): Promise<readonly InstalledRoot[]> {
  const { architecture } = platform.oci;
  const { deb, rpm } = nameSystemPackages(project, architecture);
  const file = join(release, rpm);
  const roots = [
    await installWith(["dpkg"], deb, join(parent, `deb-${architecture}`), (root) =>
      installDebianPackage(join(release, deb), root, project),
    ),
    await installWith(["rpm"], rpm, join(parent, `rpm-${architecture}`), (root) =>
      installRpmPackage(file, root, project),
    ),
  ];
  for (const client of RPM_CLIENTS) {
    const { program } = client;
    const name = `${rpm} with ${program}`;
    const root = join(parent, `${program}-${architecture}`);
    roots.push(
      selectEmulator(platform).length > 0 && !client.takesForeignPackages
        ? { kind: "notTried", name, reason: `${program} installs for this machine alone` }
        : await installWith([program, "rpmbuild"], name, root, () =>
            installWithClient(client, file, root, project.name, platform),
          ),
    );
  }
  return roots;
}

async function installDebianPackage(file: string, root: string, { name }: Project): Promise<Removal> {
  await mkdir(join(root, "var", "lib", "dpkg"), { recursive: true });
  await writeFile(join(root, "var", "lib", "dpkg", "status"), "");
  const dpkg = (...args: readonly string[]) => run("dpkg", [`--root=${root}`, ...args], root);
  await dpkg("--force-depends", "--force-architecture", "--install", file);
  assert.equal(await dpkg("--verify", name), "");
  return () => dpkg("--purge", name);
}

async function installRpmPackage(file: string, root: string, { name }: Project): Promise<Removal> {
  assert.match(await run("rpm", ["--checksig", file], root), /: digests OK\n$/);
  const rpm = (...args: readonly string[]) => run("rpm", ["--root", root, "--nodeps", ...args], root);
  await rpm("--ignorearch", "--install", file);
  assert.equal(await rpm("--verify", name), "");
  return () => rpm("--erase", name);
}

async function installWith(
  programs: readonly string[],
  name: string,
  root: string,
  install: Install,
): Promise<InstalledRoot> {
  const missing = programs.find((program) => spawnSync(program, ["--version"]).status !== 0);
  if (missing !== undefined) return { kind: "notTried", name, reason: `needs ${missing}` };
  if (process.getuid?.() !== 0) return { kind: "notTried", name, reason: "needs root" };
  await mkdir(root);
  const remove = await install(root);
  return {
    kind: "installed",
    name,
    bin: join(root, "usr", "bin"),
    remove: async () => {
      await remove();
      const left = await listOwnFiles(root);
      assert.deepEqual(left, []);
    },
  };
}

/** Files and folders in usr with the program's name. dpkg removes usr, too, where nothing else is in it. */
async function listOwnFiles(root: string): Promise<readonly string[]> {
  if (!(await readdir(root)).includes("usr")) return [];
  return (await readdir(join(root, "usr"), { recursive: true })).filter((path) => path.includes("preflight"));
}

/** Installs with the script into a folder, from the release's files; and shows that it refuses a file that was changed. */
export async function installWithScript(
  release: string,
  parent: string,
  refuse: (folder: string) => Promise<void>,
): Promise<InstalledRoot> {
  const script = join(release, "install.sh");
  const prefix = join(parent, "prefix");
  const env = { PATH: process.env["PATH"], PREFIX: prefix };
  await run("sh", [script, "--from", release], parent, env);
  const changed = join(parent, "changed");
  await mkdir(changed);
  await refuse(changed);
  const args = [script, "--from", changed, "--prefix", join(parent, "nothing")];
  const { status, stderr } = spawnSync("sh", args, { encoding: "utf8", env });
  assert.equal(status, 1, stderr);
  assert.match(stderr, /refuses preflight-.*: its sha256 is /);
  return { kind: "installed", name: "install.sh", bin: join(prefix, "bin") };
}
