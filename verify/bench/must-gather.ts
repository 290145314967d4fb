// Time and peak memory of `check --must-gather` over a large archive: `node verify/bench/must-gather.ts TARGET [MIB [FORM]]`. FORM is tar,
// tar.gz or folder. The archive has logs, as most of its bytes are, and lists of pods. Needs a built dist/ and Linux.
import { createWriteStream, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createTarPacker } from "modern-tar";
import { withTemporaryFolder } from "../shared/temporary-folder.ts";
import { runAndMeasure } from "../reliability/run.ts";

const [target = "", mebibytes = "1024", form = "tar"] = process.argv.slice(2);
const IMAGE = "must-gather.local.1/registry-example-must-gather-sha256-1f";
const LOG_LINE = "2026-02-06T15:30:00.123456789Z I0206 15:30:00.123456 1 controller.go:113] syncing demo/web\n";
const NAMESPACES = 60;
/** A third of the bytes are objects. */
const POD_BYTES = 1_400;

function buildPods(namespace: string, count: number): string {
  const items = Array.from(
    { length: count },
    (_, i) =>
      `- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: pod-${i}\n    namespace: ${namespace}\n    labels:\n      app: web-${i}\n  spec:\n    containers:\n    - image: registry.example/web:${i}\n      name: web\n      env:\n      - name: TEXT\n        value: ${"x".repeat(1_000)}\n  status:\n    phase: Running\n    conditions:\n    - status: "True"\n      type: Ready\n`,
  );
  return `---\napiVersion: v1\nitems:\n${items.join("")}kind: PodList\nmetadata:\n  resourceVersion: "1"\n`;
}

function* buildFiles(): Generator<readonly [path: string, text: string]> {
  const bytes = Number(mebibytes) << 20;
  const podsEach = Math.floor(bytes / 3 / NAMESPACES / POD_BYTES);
  const log = LOG_LINE.repeat(Math.floor((bytes * 2) / 3 / NAMESPACES / LOG_LINE.length));
  const config = `${IMAGE}/cluster-scoped-resources/config.openshift.io`;
  yield ["must-gather.local.1/timestamp", "2026-02-06 15:30:00 +0000 UTC\n2026-02-06 15:40:00 +0000 UTC\n"];
  yield [`${IMAGE}/version`, "openshift/must-gather\n4.20.0\n"];
  yield [
    `${config}/clusterversions.yaml`,
    "apiVersion: config.openshift.io/v1\nitems:\n- apiVersion: config.openshift.io/v1\n  kind: ClusterVersion\n  metadata:\n    name: version\n  spec:\n    clusterID: 11111111-2222-4333-8444-555555555555\n  status:\n    desired:\n      version: 4.20.8\n    history:\n    - state: Completed\n      version: 4.20.8\nkind: ClusterVersionList\n",
  ];
  yield [
    `${config}/infrastructures.yaml`,
    "apiVersion: config.openshift.io/v1\nitems:\n- apiVersion: config.openshift.io/v1\n  kind: Infrastructure\n  metadata:\n    name: cluster\n  status:\n    controlPlaneTopology: HighlyAvailable\nkind: InfrastructureList\n",
  ];
  for (let i = 0; i < NAMESPACES; i += 1) {
    const namespace = `${IMAGE}/namespaces/openshift-demo-${i}`;
    yield [`${namespace}/core/pods.yaml`, buildPods(`openshift-demo-${i}`, podsEach)];
    yield [
      `${namespace}/policy/poddisruptionbudgets.yaml`,
      `apiVersion: policy/v1\nitems:\n- apiVersion: policy/v1\n  kind: PodDisruptionBudget\n  metadata:\n    name: web\n    namespace: openshift-demo-${i}\n    generation: 1\n  spec:\n    minAvailable: 1\n    selector:\n      matchLabels:\n        app: web-1\n  status:\n    observedGeneration: 1\n    expectedPods: 1\n    desiredHealthy: 1\n    currentHealthy: 0\n    disruptionsAllowed: 0\nkind: PodDisruptionBudgetList\n`,
    ];
    yield [`${namespace}/pods/pod-1/web/web/logs/current.log`, log];
  }
}

async function writeArchive(path: string): Promise<void> {
  const { readable, controller } = createTarPacker();
  const chunks = Readable.fromWeb(readable);
  const compressors = form === "tar.gz" ? [createGzip({ level: 1 })] : [];
  const writing = pipeline([chunks, ...compressors, createWriteStream(path)]);
  for (const [name, text] of buildFiles()) {
    const writer = controller.add({ name, size: Buffer.byteLength(text) }).getWriter();
    await writer.write(Buffer.from(text));
    await writer.close();
  }
  controller.finalize();
  await writing;
}

await withTemporaryFolder("bench", async (folder) => {
  const path = join(folder, `archive.${form}`);
  await writeArchive(path);
  const limits = ["--check-timeout", "5m", "--cycle-timeout", "10m"];
  const args = ["check", "--must-gather", path, "--target", target, ...limits, "-o", "json"];
  const { code, seconds, peak, out } = await runAndMeasure(args);
  const size = (statSync(path).size / 2 ** 20).toFixed(0);
  const { coverage }: { readonly coverage?: object } = JSON.parse(out === "" ? "{}" : out);
  console.log(`${form}: ${size} MiB, ${seconds} s, peak ${peak} MiB, exit ${code}`, coverage);
});
