import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CheckCase } from "../../../src/cases/case-files.ts";
import { judgeCase } from "../../../src/cases/runner.ts";
import { checks } from "../../../src/checks/index.ts";
import { openMustGather } from "../../../src/cluster/must-gather/must-gather.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Outcome } from "../../../src/model/report.ts";
import { createTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";
import { buildRecordedSource, RELATED_OBJECTS } from "./sources.ts";
import { type Source, writeMustGather } from "./writer.ts";

const NEVER = new AbortController().signal;
const TIMES = { startedAt: new Date(-60_000), endedAt: new Date(0) };

const folder = createTemporaryFolder();

/** The namespaces of the platform are gathered, and so are all that hold objects of the case: with them the archive holds the most. */
export async function judgeArchive(one: CheckCase, hasEverything: boolean): Promise<Outcome> {
  const archive = mkdtempSync(join(folder, "archive-"));
  const source = buildRecordedSource(one.cluster);
  const namespaces = hasEverything
    ? source.namespaces
    : source.namespaces.filter((name) => name.startsWith("openshift"));
  await writeMustGather(addOperator(addNamespaces(source, source.namespaces)), archive, { ...TIMES, namespaces });
  const gathered = await openMustGather(archive, NEVER);
  try {
    return (await judgeCase(one, gathered.reader, checks)).outcome;
  } finally {
    await gathered.close();
    rmSync(archive, { recursive: true });
  }
}

function addNamespaces(source: Source, names: readonly string[]): Source {
  if (source.kinds.some(({ resource, group }) => resource === "namespaces" && group === "")) return source;
  const kind = { group: "", version: "v1", resource: "namespaces", kind: "Namespace", isNamespaced: false };
  const objects = names.map((name): JsonObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
  return {
    kinds: [...source.kinds, kind],
    list: (one) => (one === kind ? Promise.resolve(objects) : source.list(one)),
  };
}

/** An operator whose related objects are those that operators of OpenShift have. It is healthy. */
function addOperator(source: Source): Source {
  const usual = {
    group: "config.openshift.io",
    version: "v1",
    resource: "clusteroperators",
    kind: "ClusterOperator",
    isNamespaced: false,
  };
  const isKind = (one: Source["kinds"][number]): boolean => one.resource === "clusteroperators";
  const hasKind = source.kinds.some(isKind);
  const conditions = [
    ["Available", "True"],
    ["Progressing", "False"],
    ["Degraded", "False"],
    ["Upgradeable", "True"],
  ].map(([type = "", status = ""]) => ({ type, status, lastTransitionTime: "1970-01-01T00:00:00Z" }));
  const operator: JsonObject = {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterOperator",
    metadata: { name: "related" },
    status: { conditions, relatedObjects: RELATED_OBJECTS },
  };
  return {
    kinds: hasKind ? source.kinds : [...source.kinds, usual],
    list: async (one) => (isKind(one) ? [...(hasKind ? await source.list(one) : []), operator] : source.list(one)),
  };
}
