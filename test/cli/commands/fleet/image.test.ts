import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { buildKubeconfig } from "../../../../verify/api-server/kubeconfig.ts";
import { at, listAt, objectAt, parseObject, textAt } from "../../../../src/model/json.ts";
import { startFaultServer } from "../../../../verify/reliability/fault-server.ts";
import { findFreePort } from "../../../../verify/shared/free-port.ts";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { createTestFolder, noRegistry } from "../../../support/registry.ts";
import { startDemoRegistry } from "../../../support/cli/demo-image.ts";

const MIRRORS = "/apis/config.openshift.io/v1/imagedigestmirrorsets";

test(
  "a cluster needs no registry for a digest that another cluster's mirror delivered",
  { skip: noRegistry },
  async (t) => {
    const { cluster, image, flags, host, env } = await startDemoRegistry(t);
    const folder = createTestFolder(t);
    // The first one's mirror is out of reach, and its cluster forbids to ask any other registry.
    const unreachable = `127.0.0.1:${await findFreePort()}`;
    for (const [name, mirror] of [
      ["a-unreachable", unreachable],
      ["b-mirrored", host],
    ] as const) {
      const recording = join(folder, `${name}.json`);
      const text = readFileSync(join(cluster, "cluster.json"), "utf8");
      const sets = JSON.stringify(at(parseObject(text), MIRRORS));
      writeFileSync(
        recording,
        JSON.stringify({ ...parseObject(text), [MIRRORS]: parseObject(sets.replaceAll(host, mirror)) }),
      );
      const server = await startFaultServer(recording, { isStruck: () => false, fault: () => {}, times: 0 });
      t.after(() => server.close());
      writeFileSync(join(folder, name), JSON.stringify(buildKubeconfig({ cluster: { server: server.url } })));
    }
    const kubeconfigs = ["a-unreachable", "b-mirrored"].map((name) => join(folder, name)).join(",");
    const results = join(folder, "results");
    const authority = flags.slice(flags.indexOf("--registry-ca"));
    const named = ["--to-image", `quay.io/ocp/release@${image.digest}`, ...authority];
    const args = ["--kubeconfig", kubeconfigs, "--results", results, "--parallel", "1", "-o", "json"];
    const { code, out, err } = await runPreflight(["fleet", ...named, ...args], env);
    assert.deepEqual([code, err], [3, ""]);
    const clusters = listAt(parseObject(out), "clusters").map((one) => [textAt(one, "name"), textAt(one, "verdict")]);
    assert.deepEqual(clusters, [
      ["a-unreachable", "risk"],
      ["b-mirrored", "risk"],
    ]);
    for (const name of ["a-unreachable", "b-mirrored"]) {
      const result = parseObject(readFileSync(join(results, `${name}.json`), "utf8"));
      assert.equal(textAt(result, "targetImage"), `quay.io/ocp/release@${image.digest}`);
      assert.equal(textAt(objectAt(result, "targetImageVerification"), "status"), "Unknown", "asked for each cluster");
    }
  },
);
