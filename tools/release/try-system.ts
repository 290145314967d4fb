import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuildPlatform } from "./platform.ts";
import type { Project } from "./project.ts";
import { run } from "../../verify/shared/run.ts";
import { nameSystemPackages } from "./system-packages/installed-files.ts";

/** A root that something was installed into, by the name of what was installed; or why it could not be tried here. */
export type InstalledRoot =
  | { readonly kind: "installed"; readonly name: string; readonly bin: string }
  | { readonly kind: "notTried"; readonly name: string; readonly reason: string };

/** Installs both packages of a platform on empty roots. The system's own libraries are not there, so nothing is said of dependencies. */
export async function installSystemPackages(
  release: string,
  parent: string,
  project: Project,
  { oci }: BuildPlatform,
): Promise<readonly InstalledRoot[]> {
  const { deb, rpm } = nameSystemPackages(project, oci.architecture);
  return [
    await installWith("dpkg", deb, join(parent, `deb-${oci.architecture}`), async (root) => {
      await mkdir(join(root, "var", "lib", "dpkg"), { recursive: true });
      await writeFile(join(root, "var", "lib", "dpkg", "status"), "");
      const dpkg = (...args: readonly string[]) => run("dpkg", [`--root=${root}`, ...args], root);
      await dpkg("--force-depends", "--force-architecture", "--install", join(release, deb));
      assert.equal(await dpkg("--verify", project.name), "");
    }),
    await installWith("rpm", rpm, join(parent, `rpm-${oci.architecture}`), async (root) => {
      const file = join(release, rpm);
      assert.match(await run("rpm", ["--checksig", file], root), /: digests OK\n$/);
      const own = (...args: readonly string[]) => run("rpm", ["--root", root, "--nodeps", ...args], root);
      await own("--ignorearch", "--install", file);
      assert.equal(await own("--verify", project.name), "");
    }),
  ];
}

async function installWith(
  program: string,
  name: string,
  root: string,
  install: (root: string) => Promise<void>,
): Promise<InstalledRoot> {
  if (spawnSync(program, ["--version"]).status !== 0) return { kind: "notTried", name, reason: `needs ${program}` };
  if (process.getuid?.() !== 0) return { kind: "notTried", name, reason: "needs root" };
  await mkdir(root);
  await install(root);
  return { kind: "installed", name, bin: join(root, "usr", "bin") };
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
