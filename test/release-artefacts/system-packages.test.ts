import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { PLATFORMS } from "../../tools/release/platform.ts";
import { readProject } from "../../tools/release/project.ts";
import { buildDebianPackage } from "../../tools/release/system-packages/deb.ts";
import { listInstalledFiles, nameSystemPackages } from "../../tools/release/system-packages/installed-files.ts";
import { buildRpmPackage } from "../../tools/release/system-packages/rpm.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const URL = "https://downloads.example/files/";
const EXECUTABLE = "#!/bin/sh\necho packaged\n";
const project = await readProject();
const files = listInstalledFiles(project.name, {
  executable: Buffer.from(EXECUTABLE),
  manPage: Buffer.from(".TH PREFLIGHT 1\n"),
  licences: { LICENSE: Buffer.from("free\n"), "LICENSE.node": Buffer.from("open") },
});

function needs(...programs: readonly string[]): string | false {
  const missing = programs.find((program) => spawnSync(program, ["--version"]).status !== 0);
  if (missing !== undefined) return `${missing} is not installed`;
  return process.getuid?.() === 0 ? false : "an empty root needs root";
}

function run(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  assert.equal(status, 0, `${program} ${args.join(" ")}: ${stderr}${stdout}`);
  return stdout;
}

function checkRoot(root: string): void {
  assert.equal(run(join(root, "usr/bin/preflight")), "packaged\n");
  assert.equal(readlinkSync(join(root, "usr/bin/kubectl-preflight_update")), "preflight");
  assert.equal(readFileSync(join(root, "usr/share/doc", project.name, "LICENSE"), "utf8"), "free\n");
  assert.equal(run("gzip", "-dc", join(root, "usr/share/man/man1/preflight.1.gz")), ".TH PREFLIGHT 1\n");
}

/** Neither a file nor a folder of its own is left; dpkg removes those of others, too, where they are empty. */
function checkRemoved(root: string): void {
  const folder = join(root, "usr");
  const left = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  assert.deepEqual(
    left.filter((path) => path.includes("preflight")),
    [],
  );
}

for (const platform of PLATFORMS) {
  const { architecture } = platform.oci;
  suite(`the packages for ${architecture}`, () => {
    const folder = createTemporaryFolder("packages");
    const { deb, rpm } = nameSystemPackages(project, architecture);

    test("dpkg installs the Debian package", { skip: needs("dpkg", "dpkg-deb") }, async () => {
      const file = join(folder, deb);
      writeFileSync(file, await buildDebianPackage(project, platform, URL, files));
      assert.equal(
        run("dpkg-deb", "--field", file, "Version", "Architecture"),
        `Version: ${project.version}\nArchitecture: ${architecture}\n`,
      );
      const root = join(folder, "deb");
      mkdirSync(join(root, "var/lib/dpkg"), { recursive: true });
      writeFileSync(join(root, "var/lib/dpkg/status"), "");
      run("dpkg", `--root=${root}`, "--force-depends", "--force-architecture", "--install", file);
      checkRoot(root);
      assert.equal(run("dpkg", `--root=${root}`, "--verify", project.name), "");
      run("dpkg", `--root=${root}`, "--purge", project.name);
      checkRemoved(root);
    });

    test("rpm verifies and installs the RPM package", { skip: needs("rpm") }, () => {
      const file = join(folder, rpm);
      writeFileSync(file, buildRpmPackage(project, platform, URL, files));
      assert.match(run("rpm", "--checksig", file), /: digests OK\n$/);
      const root = join(folder, "rpm");
      mkdirSync(root);
      run("rpm", "--root", root, "--nodeps", "--ignorearch", "--install", file);
      checkRoot(root);
      assert.equal(run("rpm", "--root", root, "--nodeps", "--verify", project.name), "");
      const name = `${rpm.replace(/\.rpm$/, "")}\n`;
      assert.equal(run("rpm", "--root", root, "--query", project.name), name);
      run("rpm", "--root", root, "--nodeps", "--erase", project.name);
      checkRemoved(root);
    });

    test("rpm refuses a changed byte", { skip: needs("rpm") }, () => {
      const bytes = buildRpmPackage(project, platform, URL, files);
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 20) ^ 1, bytes.length - 20);
      writeFileSync(join(folder, "changed.rpm"), bytes);
      const { status, stdout } = spawnSync("rpm", ["--checksig", join(folder, "changed.rpm")], { encoding: "utf8" });
      assert.notEqual(status, 0);
      assert.match(stdout, /NOT OK/);
    });

    test("the same files give the same bytes", async () => {
      const build = () => buildDebianPackage(project, platform, URL, files);
      assert.ok((await build()).equals(await build()));
      assert.ok(buildRpmPackage(project, platform, URL, files).equals(buildRpmPackage(project, platform, URL, files)));
    });
  });
}

test("a pre-release comes before its release", { skip: needs("dpkg") }, () => {
  const { deb, rpm } = nameSystemPackages({ ...project, version: "1.0.0-rc.1" }, "amd64");
  assert.equal(deb, `${project.name}_1.0.0~rc.1_amd64.deb`);
  assert.equal(rpm, `${project.name}-1.0.0~rc.1-1.x86_64.rpm`);
  run("dpkg", "--compare-versions", "1.0.0~rc.1", "lt", "1.0.0");
});
