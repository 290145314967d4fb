import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formats } from "../../../../src/format/index.ts";
import { createImageProgress, formatImageProgress } from "../../../../src/cli/target-release/image-target.ts";
import { writeKubeconfig } from "../../../support/cluster/mock-server.ts";
import { type JsonObject, listAt, objectAt, parseObject, textAt } from "../../../../src/model/json.ts";
import { startFaultServer } from "../../../../verify/reliability/fault-server.ts";
import { buildClaim, createTestKey } from "../../../../verify/signatures/openpgp.ts";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { addSignature, buildConfigMap, startDemoRegistry } from "../../../support/cli/demo-image.ts";
import { createTestIo } from "../../../support/cli/test-io.ts";
import { createTestFolder, noRegistry } from "../../../support/registry.ts";

const FORMATS = Object.keys(formats);

test(
  "check --to-image gives the result of the release's folder, and names the image",
  { skip: noRegistry },
  async (t) => {
    const { cluster, key, store, image, flags, env } = await startDemoRegistry(t);
    addSignature(store, image.digest, key, 1);
    const folder = await runPreflight(["check", "--recorded", cluster, "--target", "demo/release"]);
    const checked = ["check", "--recorded", cluster, "--to-image", "quay.io/ocp/release:4.18.6", ...flags];
    const result = await runPreflight(checked, env);
    const verified = /\nRelease image quay\.io\/ocp\/release@sha256:\w{64}:\n +verified by [^]*?\n(?=\d+ notice|Read)/;
    const counts = /for \d+ checks; \d+/;
    assert.match(result.out, verified);
    assert.deepEqual(
      { ...result, out: result.out.replace(verified, "\n").replace(counts, "") },
      { ...folder, out: folder.out.replace(counts, "") },
    );
    const { out } = await runPreflight([...checked, "-o", "preflight-v1-json"], env);
    assert.equal(JSON.parse(out).targetImage, `quay.io/ocp/release@${image.digest}`);
  },
);

test("an image is a risk without a trusted signature, and unknown without any", { skip: noRegistry }, async (t) => {
  const { cluster, key, store, image, flags, env } = await startDemoRegistry(t);
  const named = ["check", "--recorded", cluster, "--to-image", `quay.io/ocp/release@${image.digest}`, ...flags];
  const { out: whole } = await runPreflight([...named, "-o", "json"], env);
  const isOurs = (name: string): boolean => name.startsWith("ReleaseSignature");
  const others = listRiskNames(whole).filter((name) => !isOurs(name));
  const args = [...named, "--accept", others.join(",")];
  const check = async (): Promise<readonly [number | null, JsonObject, readonly string[]]> => {
    const { code, out } = await runPreflight([...args, "-o", "json"], env);
    return [code, objectAt(parseObject(out), "targetImageVerification"), listRiskNames(out).filter(isOurs)];
  };
  const showInEveryFormat = async (text: RegExp): Promise<void> => {
    const folder = createTestFolder(t);
    await runPreflight([...args, ...FORMATS.flatMap((format) => ["-o", `${format}=${join(folder, format)}`])], env);
    for (const format of FORMATS) assert.match(readFileSync(join(folder, format), "utf8"), text, format);
  };

  const message = `could not be verified: no signature of it was found in ${store} and the ConfigMaps of openshift-config-managed`;
  assert.deepEqual(await check(), [4, { status: "Unknown", message }, ["ReleaseSignatureUnknown"]]);
  await showInEveryFormat(/ReleaseSignatureUnknown|release-signature/);

  addSignature(store, image.digest, createTestKey("Other <other@example.com>"), 1);
  const untrusted = "not signed by a key that this cluster trusts (it has 1 signature by others)";
  assert.deepEqual(await check(), [3, { status: "Untrusted", message: untrusted }, ["ReleaseSignatureUntrusted"]]);
  await showInEveryFormat(/ReleaseSignatureUntrusted/);

  addSignature(store, image.digest, key, 2);
  const [code, verified, risks] = await check();
  assert.deepEqual([code, verified["status"], risks], [0, "Verified", []]);
  assert.match(textAt(verified, "message") ?? "", /^verified by Demo <demo@example.com>, [0-9A-F]{40}$/);
});

test("a recording holds the keys and the signatures that its cluster has", { skip: noRegistry }, async (t) => {
  const { cluster, key, image, flags, env } = await startDemoRegistry(t);
  const file = join(cluster, "cluster.json");
  const signature = key.sign(buildClaim(image.digest)).toString("base64");
  const signatures = buildConfigMap("openshift-config-managed", "mirrored-release-signatures", {
    binaryData: { [image.digest.replace(":", "-")]: signature },
  });
  writeFileSync(file, JSON.stringify({ ...parseObject(readFileSync(file, "utf8")), ...signatures }));
  const server = await startFaultServer(file, { isStruck: () => false, fault: () => {}, times: 0 });
  t.after(() => server.close());
  const kubeconfig = writeKubeconfig(t, { cluster: { server: server.url } });
  const target = ["--to-image", `quay.io/ocp/release@${image.digest}`, ...flags.slice(2)];
  const recorded = createTestFolder(t);
  await runPreflight(["record", "--kubeconfig", kubeconfig, "--dest-dir", recorded, ...target], env);
  for (const folder of [cluster, recorded]) {
    const { out } = await runPreflight(["check", "--recorded", folder, "-o", "json", ...target], env);
    assert.equal(textAt(parseObject(out), "targetImageVerification", "status"), "Verified", folder);
  }
});

function listRiskNames(json: string): readonly string[] {
  return listAt(parseObject(json), "risks").flatMap((risk) => textAt(risk, "name") ?? []);
}

test("an image that can't be read is one line, and a failed document", async (t) => {
  const env = { XDG_CACHE_HOME: createTestFolder(t) };
  const { code, out, err } = await runPreflight(
    ["check", "--recorded", "demo", "--to-image", "oci:nowhere", "-o", "preflight-v1-json"],
    env,
  );
  assert.equal(code, 1);
  assert.match(err, /^preflight: the release image can't be read: oci:nowhere is not an OCI image \(.*ENOENT\)\n$/);
  assert.equal(JSON.parse(out).failure.reason, "PayloadUnreadable");
});

test("nothing is fetched for a cluster that does not answer", async (t) => {
  const cache = createTestFolder(t);
  const kubeconfig = writeKubeconfig(t, { cluster: { server: "http://127.0.0.1:9" } });
  const args = ["check", "--kubeconfig", kubeconfig, "--to-image", "127.0.0.1:9/ocp/release:4.18.6"];
  const { code, err } = await runPreflight(args, { XDG_CACHE_HOME: cache });
  assert.deepEqual([code, err], [1, "preflight: http://127.0.0.1:9 refused the connection\n"]);
  assert.deepEqual(readdirSync(cache), []);
});

for (const [flags, message] of [
  [
    ["--to-image", "ocp-release:4.20.3"],
    /^preflight: --to-image: "ocp-release:4.20.3" is not an image reference: use HOST/,
  ],
  [["--to-image", "quay.io/a/b"], /^preflight: --to-image: "quay.io\/a\/b" names no image of its repository: add :TAG/],
  [["--to-image", "quay.io/a/b:1", "--mirror", "x"], /^preflight: --mirror: "x" is not a mirror: use HOST\/REPOSITORY/],
  [
    ["--to-image", "quay.io/a/b:1", "--target", "d"],
    /^preflight: --to-image names the target release: remove --target\n/,
  ],
] as const) {
  test(`check ${flags.join(" ")} is wrong usage`, async () => {
    const { code, err } = await runPreflight(["check", "--recorded", "demo", ...flags]);
    assert.equal(code, 2);
    assert.match(err, message);
  });
}

test("the progress is a bar with bytes", () => {
  const progress = { layer: 2, receivedBytes: 3 * 2 ** 20, totalBytes: 12 * 2 ** 20 };
  assert.equal(
    formatImageProgress(progress),
    "Reading the release image, layer 2: [#####---------------] 3.0 of 12.0 MiB",
  );
  assert.match(formatImageProgress({ layer: 1, receivedBytes: 0, totalBytes: 0 }), /: \[-{20}\] 0\.0 of 0\.0 MiB$/);
});

test("the progress stands on one line of a terminal, is written only when it changes, and is cleared", () => {
  const written: string[] = [];
  const piped: string[] = [];
  for (const [lines, isTerminal] of [
    [written, true],
    [piped, false],
  ] as const) {
    const { onProgress, done } = createImageProgress(createTestIo(lines, isTerminal));
    for (const receivedBytes of [0, 1000, 2 ** 20]) onProgress({ layer: 1, receivedBytes, totalBytes: 2 ** 20 });
    done();
  }
  assert.deepEqual(piped, []);
  assert.equal(written.length, 3);
  assert.match(written[1] ?? "", /^\r\u001b\[2KReading the release image, layer 1: \[#{20}\] 1\.0 of 1\.0 MiB$/);
  assert.equal(written[2], "\r\u001b[2K");
});
