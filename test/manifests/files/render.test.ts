import assert from "node:assert/strict";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, suite, test } from "node:test";
import { renderManifests } from "../../../src/manifests/files/render.ts";
import { createTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";
import { collect, describeManifest, writeFiles } from "../../support/manifests/files.ts";

suite("rendering", () => {
  const path = process.env["PATH"];
  afterEach(() => void (process.env["PATH"] = path));
  const folder = createTemporaryFolder("render");

  /** A stand-in for a program, and no other of those that render. */
  function install(name: string, script: string): void {
    const bin = join(folder, `bin-${name}-${script.length}`);
    mkdirSync(bin);
    writeFiles(bin, { [name]: `#!/bin/sh\n${script}\n` });
    chmodSync(join(bin, name), 0o755);
    process.env["PATH"] = bin;
  }

  async function render(renderer: "helm" | "kustomize", timeoutMs?: number): Promise<readonly string[]> {
    const items = await collect(renderManifests(renderer, "web chart", timeoutMs));
    return items.map((item) => describeManifest(item));
  }

  test("Helm's output has the templates that it is from", async () => {
    install("helm", `echo "# Source: $*"; echo "apiVersion: v1"; echo "kind: A"`);
    assert.deepEqual(await render("helm"), ["web chart:2:1 (template --include-crds web chart) A"]);
  });

  test("Kustomize may be a part of kubectl or of oc", async () => {
    install("oc", `test "$1 $2" = "kustomize web chart" && echo "{apiVersion: v1, kind: A}"`);
    assert.deepEqual(await render("kustomize"), ["web chart:1:2 A"]);
  });

  test("what fails, what is endless and what takes too long is told in a line", async () => {
    install("helm", `echo "Error: no chart" >&2; echo more >&2; exit 1`);
    const command = `"helm template --include-crds 'web chart'"`;
    assert.deepEqual(await render("helm"), [`web chart:1:1 NotRendered: ${command} failed: Error: no chart`]);
    install("helm", `exec /bin/cat /dev/zero`);
    assert.deepEqual(await render("helm"), [`web chart:1:1 NotRendered: ${command} failed: it has more than 64 MiB`]);
    install("helm", `/bin/sleep 20 & wait`);
    assert.deepEqual(await render("helm", 200), [
      `web chart:1:1 NotRendered: ${command} failed: it did not end within 0.2 s`,
    ]);
  });

  test("without the program, the next step is told", async () => {
    process.env["PATH"] = join(folder, "none");
    assert.deepEqual(await render("kustomize"), [
      "web chart:1:1 NotRendered: there is no kustomize, kubectl, oc here: install it, or give what it renders elsewhere",
    ]);
  });
});
