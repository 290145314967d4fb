// How fast objects of one CRD with validation rules are evaluated, compared with the API server's own packages in the same run:
// `node tools/bench/judge.ts [COUNT]`. Both parse lines of JSON and answer each; the other side also evaluates an unrelated update.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import { parseCrd } from "../../src/model/crd.ts";
import { isObject, type JsonObject } from "../../src/model/json.ts";
import { validateObject, compileSchema } from "../../src/schema/object-validation.ts";

const SHARED = process.env["PREFLIGHT_SHARED"] ?? join(import.meta.dirname, "..", "..", "..", "shared");
const CRD = join(SHARED, "crds", "5.0", "0000_00_cluster-version-operator_01_clusterversions-Default.crd.yaml");
const count = Number(process.argv[2] ?? 10_000);

const formatDigest = (i: number) => `example.com/release@sha256:${String(i).padStart(64, "0")}`;
const buildCondition = (type: string) => ({
  type,
  status: "False",
  reason: "AsExpected",
  message: "nothing to say of this",
  lastTransitionTime: "2026-01-15T10:00:00Z",
});

/** A ClusterVersion of about 3.5 KB, as in a cluster with some history. */
function buildClusterVersion(i: number): JsonObject {
  const past = Array.from({ length: 8 }, (_, k) => ({
    state: "Completed",
    version: `4.${10 + k}.${i % 50}`,
    image: formatDigest(k),
    startedTime: "2026-01-15T09:00:00Z",
    completionTime: "2026-01-15T10:00:00Z",
    verified: true,
  }));
  const known = [
    "Build",
    "Console",
    "Ingress",
    "Insights",
    "MachineAPI",
    "NodeTuning",
    "Storage",
    "OperatorLifecycleManager",
  ];
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: `version-${i}` },
    spec: {
      clusterID: "11111111-2222-4333-8444-555555555555",
      channel: "stable-5.0",
      capabilities: { baselineCapabilitySet: "None", additionalEnabledCapabilities: known },
    },
    status: {
      desired: { version: "5.0.3", image: formatDigest(i), channels: ["fast-5.0", "stable-5.0"] },
      observedGeneration: i,
      versionHash: "abc",
      history: past,
      capabilities: { enabledCapabilities: known, knownCapabilities: known },
      availableUpdates: null,
      conditions: ["Available", "Failing", "Progressing", "Upgradeable", "RetrievedUpdates"].map(buildCondition),
    },
  };
}

function readSchema(): string {
  const manifest = load(readFileSync(CRD, "utf8"));
  const crd = isObject(manifest) ? parseCrd(manifest) : undefined;
  return crd?.versions[0]?.schema ?? "";
}

function judgeHere(texts: readonly string[]): { readonly seconds: number; readonly valid: number } {
  const start = performance.now();
  const prepared = compileSchema(readSchema());
  if (prepared.kind === "refused") throw new Error(prepared.message);
  let valid = 0;
  for (const text of texts) {
    const verdict = validateObject(prepared, JSON.parse(text));
    if (verdict.errors.length === 0 && verdict.unevaluatedRules.length === 0) valid += 1;
  }
  return { seconds: (performance.now() - start) / 1_000, valid };
}

async function judgeByOracle(texts: readonly string[]): Promise<{ readonly seconds: number; readonly valid: number }> {
  const oracle = execFileSync(join(SHARED, "oracle", "build.sh"), { encoding: "utf8" }).trim();
  const input = join(mkdtempSync(join(tmpdir(), "preflight-bench-")), "in.jsonl");
  const crd = JSON.stringify(CRD);
  writeFileSync(input, texts.map((text, i) => `{"id":"${i}","crd":${crd},"object":${text}}\n`).join(""));
  const start = performance.now();
  const child = spawn("sh", ["-c", `exec "$0" <"$1"`, oracle, input], { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  await new Promise((resolve) => child.once("close", resolve));
  const seconds = (performance.now() - start) / 1_000;
  return { seconds, valid: out.split('"valid":true').length - 1 };
}

const texts = Array.from({ length: count }, (_, i) => JSON.stringify(buildClusterVersion(i)));
const [mine, other] = [judgeHere(texts), await judgeByOracle(texts)];
const getRate = ({ seconds }: { readonly seconds: number }) => Math.round(count / seconds);
console.log(`${count} objects of ${texts[0]?.length ?? 0} bytes, ${mine.valid} valid here and ${other.valid} there`);
console.log(
  `here ${getRate(mine)}/s, there ${getRate(other)}/s: ${(other.seconds / mine.seconds).toFixed(1)} times as fast`,
);
