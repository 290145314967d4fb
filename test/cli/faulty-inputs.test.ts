import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { selectKeptFields } from "../../src/cluster/recorded/kept-fields.ts";
import { parseObject } from "../../src/model/json.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;

const REFERENCES = [`1.2.3.256/a/b:c`, `quay.io:99999/a/b@${DIGEST}`, "1.2.3/a/b:c", "[:::1]/a/b:c"];
for (const reference of REFERENCES)
  test(`an image whose host no address can have is wrong usage: ${reference}`, async () => {
    const { code, out, err } = await runPreflight(["check", "--recorded", "demo", "--to-image", reference]);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /^preflight: --to-image: "\S+" is not an image reference: [^\n]+\n$/);
  });

/** The demo, whose mirrors are these. */
function recordMirrors(t: TestContext, mirrors: readonly string[], mirrorSourcePolicy: string): string {
  const folder = mkdtempSync(join(tmpdir(), "preflight-mirrors-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const spec = { imageDigestMirrors: [{ source: "registry.invalid/ocp", mirrors, mirrorSourcePolicy }] };
  const set = { apiVersion: "config.openshift.io/v1", kind: "ImageDigestMirrorSet", metadata: { name: "lan" }, spec };
  const recorded = {
    ...parseObject(readFileSync("demo/cluster.json", "utf8")),
    "/apis/config.openshift.io/v1/imagedigestmirrorsets": { items: [set] },
  };
  writeFileSync(join(folder, "cluster.json"), JSON.stringify(recorded));
  return folder;
}

const IMAGE = `registry.invalid/ocp/release@${DIGEST}`;

test("a mirror of the cluster that is none is named, and the others are tried", async (t) => {
  const folder = recordMirrors(t, ["1.2.3.256/ocp", "127.0.0.1:1/ocp"], "AllowContactingSource");
  const { code, err } = await runPreflight(["check", "--recorded", folder, "--to-image", IMAGE]);
  assert.equal(code, 1);
  const warning =
    'warning: the mirror "1.2.3.256/ocp" of registry.invalid/ocp names no repository of a registry: it is left out\n';
  assert.ok(err.startsWith(`${warning}preflight: the release image can't be read: 127.0.0.1:1 `), err);
  assert.match(err, /; registry\.invalid/);
  assert.equal(err.split("\n").length, 3, err);
});

test("if the cluster forbids the source, and no mirror can be used, it says so", async (t) => {
  const folder = recordMirrors(t, ["b.invalid:99999"], "NeverContactSource");
  const { code, err } = await runPreflight(["check", "--recorded", folder, "--to-image", IMAGE]);
  assert.equal(code, 1);
  assert.match(
    err,
    /forbids registry\.invalid \(NeverContactSource\), and none of its mirrors can be used: correct them\n$/,
  );
});

const INHERITED = ["constructor", "__proto__", "toString", "hasOwnProperty"];
for (const name of INHERITED) {
  test(`no flag, word or name is called "${name}"`, async () => {
    const calls = [
      ["check", `--${name}`, "x"],
      ["check", `--${name}=x`],
      ["check", `--no-${name}`],
      [`--${name}`],
      ["completion", name],
      ["explain", name],
      [name],
      ["check", "--recorded", "demo", "--target", "demo/release", "--skip", name],
      ["check", "--recorded", "demo", "--target", "demo/release", "-o", name],
    ];
    for (const args of calls) {
      const { code, out, err } = await runPreflight(args);
      assert.deepEqual([code, out, err.trim().split("\n").length], [2, "", 1], `${args.join(" ")}: ${err}`);
    }
    const offered = await runPreflight(["__complete", "check", `--${name}`, ""]);
    assert.deepEqual([offered.code, offered.err], [0, ""]);
  });

  test(`an object of the kind "${name}" is recorded as it is`, () => {
    const object = { apiVersion: "v1", kind: name, metadata: { name: "a" }, spec: { b: 1 } };
    assert.deepEqual(selectKeptFields(object), object);
  });
}
