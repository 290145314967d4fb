import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, readlinkSync, readdirSync, writeFileSync } from "node:fs";
import { arch, platform as system } from "node:os";
import { delimiter, join } from "node:path";
import { before, suite, test } from "node:test";
import { packArchive } from "../../tools/release/archive.ts";
import { computeSha256, type PlatformDownload } from "../../tools/release/downloads.ts";
import { formatInstallScript } from "../../tools/release/install-script.ts";
import { PLATFORMS } from "../../tools/release/platform.ts";
import { readProject, ROOT } from "../../tools/release/project.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const URL = "https://downloads.example/files/";
const project = await readProject();
const own = PLATFORMS.find(({ node }) => node.os === system() && node.cpu === arch());

suite("install.sh", { skip: own === undefined ? "it is for Linux on x64 and arm64" : false }, () => {
  const folder = createTemporaryFolder("install");
  const script = join(folder, "install.sh");
  const archives = new Map<string, string>();

  before(async () => {
    const downloads: PlatformDownload[] = [];
    for (const platform of PLATFORMS) {
      const texts = {
        preflight: "#!/bin/sh\necho preflight 9.9.9\n",
        "preflight.1": ".TH\n",
        LICENSE: "a",
        "LICENSE.node": "b",
        "licenses.txt": "c",
      };
      const packed = await packArchive(
        Object.entries(texts).map(([name, text]) => ({
          name,
          bytes: Buffer.from(text),
          isExecutable: name === "preflight",
        })),
      );
      const name = `preflight-${project.version}-${platform.oci.os}-${platform.oci.architecture}.tar.gz`;
      writeFileSync(join(folder, name), packed);
      archives.set(platform.oci.architecture, name);
      downloads.push({ platform, url: `${URL}${name}`, sha256: computeSha256(packed) });
    }
    const template = readFileSync(join(ROOT, "tools/release/install.sh"), "utf8");
    writeFileSync(script, formatInstallScript(template, project, URL, downloads));
  });

  function install(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
    const PATH = process.env["PATH"] ?? "";
    const { status, stderr } = spawnSync("sh", [script, ...args], { encoding: "utf8", env: { PATH, ...env } });
    return { status, stderr };
  }

  test("installs into a folder, and says each step", () => {
    const prefix = join(folder, "a prefix");
    const { status, stderr } = install({ PREFIX: prefix }, "--from", folder);
    assert.equal(status, 0, stderr);
    const steps = ["takes ", "sha256 of ", "installs into ", "preflight 9.9.9 is in ", "add it to your PATH: "];
    const lines = stderr.trimEnd().split("\n");
    assert.deepEqual(
      lines.map((line, i) => line.startsWith(`install.sh: ${steps[i]}`)),
      steps.map(() => true),
      stderr,
    );
    assert.equal(spawnSync(join(prefix, "bin/preflight"), { encoding: "utf8" }).stdout, "preflight 9.9.9\n");
    assert.equal(readlinkSync(join(prefix, "bin/kubectl-preflight_update")), "preflight");
    assert.deepEqual(readdirSync(join(prefix, "bin")), ["kubectl-preflight_update", "preflight"]);
    assert.ok(existsSync(join(prefix, "share/doc/target-release-preflight/licenses.txt")));
    assert.equal(install({ PREFIX: prefix }, "--from", folder).status, 0);
  });

  test("installs into ~/.local without a prefix, and needs one without a home", () => {
    const home = join(folder, "home");
    assert.equal(install({ HOME: home }, "--from", folder).status, 0);
    assert.ok(existsSync(join(home, ".local/bin/preflight")));
    assert.deepEqual(install({}, "--from", folder), {
      status: 2,
      stderr:
        "install.sh: there is no HOME: name a folder with --prefix DIR (sh install.sh [--prefix DIR] [--from DIR])\n",
    });
  });

  test("refuses a file with another sum, and installs nothing", () => {
    const changed = join(folder, "changed");
    mkdirSync(changed);
    const name = archives.get(own?.oci.architecture ?? "") ?? "";
    writeFileSync(join(changed, name), "changed");
    const prefix = join(folder, "refused");
    const { status, stderr } = install({ PREFIX: prefix }, "--from", changed);
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`refuses ${name}: its sha256 is [0-9a-f]{64}, not [0-9a-f]{64}\\n$`));
    assert.ok(!existsSync(prefix));
  });

  test("downloads by https alone, and refuses what it gets instead", () => {
    const bin = join(folder, "stub");
    mkdirSync(bin);
    const stub =
      '#!/bin/sh\nprintf "%s " "$@" >&2\nfor one in "$@"; do case $one in */preflight-*.tar.gz) case $one in https:*) ;; *) echo html >"$one" ;; esac ;; esac; done\n';
    writeFileSync(join(bin, "curl"), stub);
    chmodSync(join(bin, "curl"), 0o755);
    const prefix = join(folder, "downloaded");
    const { status, stderr } = install({ PREFIX: prefix, PATH: [bin, process.env["PATH"]].join(delimiter) });
    assert.equal(status, 1);
    assert.match(stderr, /downloads https:\/\/downloads\.example\/files\/preflight-.*-fsSL --proto =https -o /s);
    assert.match(stderr, /refuses preflight-/);
    assert.ok(!existsSync(prefix));
  });

  test("says what is wrong with its arguments, and does nothing if it is cut off", () => {
    for (const args of [["--prefix"], ["--nope"]]) assert.equal(install({ HOME: folder }, ...args).status, 2);
    const text = readFileSync(script, "utf8");
    const prefix = join(folder, "cut");
    const cut = spawnSync("sh", ["-s", "--", "--from", folder, "--prefix", prefix], {
      encoding: "utf8",
      input: text.slice(0, text.lastIndexOf("main")),
      env: { PATH: process.env["PATH"] },
    });
    assert.deepEqual([cut.status, cut.stderr, existsSync(prefix)], [0, "", false]);
  });

  test("refuses a template with a name that nothing gives", () => {
    assert.throws(() => formatInstallScript("@VERSIONS@", project, URL, []), /names @VERSIONS@/);
  });
});
