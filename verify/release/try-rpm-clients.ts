import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuildPlatform } from "../../tools/release/platform.ts";
import { run } from "../shared/run.ts";
import { OLDEST_GLIBC, RPM_ARCHITECTURES } from "../../tools/release/system-packages/installed-files.ts";

/** A program that resolves what an RPM package requires, with its arguments for a root of its own and no repositories. */
type RpmClient = {
  readonly program: "dnf" | "zypper";
  readonly takesForeignPackages: boolean;
  readonly listRootArgs: (root: string, architecture: string) => readonly string[];
  /** What the page on installing says, too. */
  readonly installArgs: readonly string[];
};

export const RPM_CLIENTS: readonly RpmClient[] = [
  {
    program: "dnf",
    takesForeignPackages: true,
    listRootArgs: (root, architecture) => [
      `--installroot=${root}`,
      `--setopt=reposdir=${join(root, "no-repositories")}`,
      "--releasever=1",
      `--forcearch=${architecture}`,
      "--assumeyes",
    ],
    installArgs: ["install"],
  },
  {
    program: "zypper",
    takesForeignPackages: false,
    listRootArgs: (root) => ["--root", root, "--non-interactive"],
    installArgs: ["install", "--allow-unsigned-rpm"],
  },
];

/** An empty root has no C library. This stands for those of Fedora and SUSE: what they provide, in their words. */
const SYSTEM_LIBRARIES = `Name: system-libraries
Version: 1
Release: 1
Summary: What a system provides
License: none
BuildArch: noarch
Provides: libc.so.6(GLIBC_${OLDEST_GLIBC})(64bit)
Provides: libgcc_s.so.1()(64bit)
Provides: libstdc++.so.6()(64bit)
%description
What a system provides.
%files
`;

/** Builds the package that stands for a system's libraries, in a folder that it makes. */
async function buildSystemLibraries(folder: string): Promise<string> {
  await mkdir(folder);
  const spec = join(folder, "system-libraries.spec");
  await writeFile(spec, SYSTEM_LIBRARIES);
  const definitions = ["_topdir", "_rpmdir"].flatMap((name) => ["--define", `${name} ${folder}`]);
  await run("rpmbuild", ["-bb", ...definitions, spec], folder);
  return join(folder, "noarch", "system-libraries-1-1.noarch.rpm");
}

/** Installs a package as the client resolves it; without what it requires, the client has to refuse. Resolves with what removes it. */
export async function installWithClient(
  client: RpmClient,
  file: string,
  root: string,
  name: string,
  { oci }: BuildPlatform,
): Promise<() => Promise<void>> {
  const { program, installArgs } = client;
  const rootArgs = client.listRootArgs(root, RPM_ARCHITECTURES[oci.architecture]);
  const inRoot = (...args: readonly string[]) => run(program, [...rootArgs, ...args], root);
  const { status, stdout, stderr } = spawnSync(program, [...rootArgs, ...installArgs, file], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  assert.notEqual(status, 0);
  assert.match(`${stdout}${stderr}`, /nothing provides libc\.so\.6/);
  await inRoot(...installArgs, await buildSystemLibraries(`${root}-libraries`), file);
  return async () => {
    await inRoot("remove", name);
  };
}
