import { type Json, type JsonObject, listAt, parseObject, textAt, textsAt } from "../../../src/model/json.ts";
import { parseResource } from "../../../src/model/resource.ts";
import {
  isStandardImage,
  parseObjectCounts,
  parseTimes,
  readFactFile,
} from "../../../src/cluster/must-gather/must-gather.ts";
import type { ArchiveFile } from "../../../src/cluster/must-gather/archive-files.ts";
import { type ArchiveIndex, buildArchiveIndex } from "../../../src/cluster/must-gather/archive-index.ts";
import { readKind } from "../../../src/cluster/must-gather/archive-objects.ts";
import { buildHeldFacts } from "../../../src/cluster/must-gather/held-kinds.ts";
import { createMustGatherReader } from "../../../src/cluster/must-gather/must-gather-reader.ts";
import { unlessRefused } from "../refusals.ts";
import { collect, splitChunks, toStream } from "../chunks.ts";
import type { FuzzTarget } from "../target.ts";

const SIGNAL = new AbortController().signal;
const RESOURCES = [
  "config.openshift.io/v1/clusteroperators",
  "v1/nodes",
  "v1/pods",
  "apiextensions.k8s.io/v1/customresourcedefinitions",
  "example.com/v1/widgets",
].map(parseResource);

const OPERATOR = { resource: "widgets", group: "example.com", name: "" };
const SEED = {
  links: ["q/namespaces/a/core/services.yaml"],
  files: [
    ["q/version", "openshift/must-gather\n4.19\n"],
    ["q/timestamp", "2026-01-02 03:04:05.6 +0000 UTC\n2026-01-02 03:05:05.6 +0000 UTC\n"],
    ["q/etcd_info/etcd_object_count", "  12 pods\n  3 example.com.widgets\n"],
    ["q/cluster-scoped-resources/core/nodes/a.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n"],
    [
      "q/cluster-scoped-resources/config.openshift.io/clusteroperators/a.yaml",
      JSON.stringify({
        apiVersion: "config.openshift.io/v1",
        kind: "ClusterOperator",
        metadata: { name: "a" },
        status: { relatedObjects: [OPERATOR] },
      }),
    ],
    [
      "q/cluster-scoped-resources/apiextensions.k8s.io/customresourcedefinitions.yaml",
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitionList\nitems:\n- metadata: {name: widgets.example.com}\n  spec: {group: example.com, names: {plural: widgets}, versions: [{name: v1, served: true}]}\n",
    ],
    [
      "q/cluster-scoped-resources/apiregistration.k8s.io/apiservices/v1.apps.yaml",
      "spec: {group: apps, version: v1}\n",
    ],
    ["q/namespaces/a/core/pods.yaml", "apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: p, namespace: a}\n"],
    ["q/event-filter.html", ""],
  ],
};

/** An archive of these files either can't be opened, or answers each read. */
export const target: FuzzTarget = {
  seeds: [JSON.stringify(SEED)],
  run: async (input) => {
    const value = parseObject(input.toString("utf8"));
    if (value === undefined) return;
    const files = listAt(value, "files").flatMap(toFile);
    const links = textsAt(value, "links");
    const index = buildArchiveIndex({ files, links, close: async () => undefined }, "the archive");
    const operators = await readOperators(index);
    const [version = ""] = await readFacts(index.versions);
    const times = (await readFacts(index.timestamps)).flatMap(parseTimes);
    const objectCounts = (await readFacts(index.objectCounts)).map(parseObjectCounts)[0];
    const isFinished = times.length > 1 || index.ends.length > 0;
    const facts = buildHeldFacts(operators, { isStandard: isStandardImage(version), isFinished, objectCounts });
    const reader = createMustGatherReader(index, facts);
    for (const resource of RESOURCES) {
      await reader.list(resource, () => () => undefined, SIGNAL);
      await reader.get({ resource, name: "a", namespace: "a" }, SIGNAL);
    }
    await reader.raw("/apis", () => () => true, SIGNAL);
  },
};

function toFile(value: Json): readonly ArchiveFile[] {
  const path = textAt(value, 0);
  const text = textAt(value, 1);
  if (path === undefined || text === undefined) return [];
  const bytes = Buffer.from(text);
  return [{ path, size: bytes.length, read: () => toStream(splitChunks(bytes)) }];
}

async function readFacts(files: readonly ArchiveFile[]): Promise<readonly string[]> {
  return (await Promise.all(files.map(readFactFile))).flatMap((text) => text ?? []);
}

async function readOperators(index: ArchiveIndex): Promise<readonly JsonObject[]> {
  const files = index.kinds.get("clusteroperators.config.openshift.io");
  if (files === undefined) return [];
  return (await unlessRefused(() => collect(readKind(files, SIGNAL)))) ?? [];
}
