import { type JsonObject, textAt } from "../../model/json.ts";
import { findCondition } from "../../model/object.ts";
import { takeCharacters } from "../../model/text.ts";
import { type InsightResource, isVerdict, type UpdateProgress } from "./condition.ts";
import type { NodeInsight } from "./node-insight.ts";
import type { OperatorInsight } from "./operator-insight.ts";
import type { PoolInsight } from "./pool-insight.ts";

/** Something that needs an administrator, before it is known since when. `id` is what its key and its uid end in. */
export type HealthInsight = {
  readonly id: string;
  readonly scope: { readonly type: NodeInsight["scopeType"]; readonly resources: readonly InsightResource[] };
  readonly impact: {
    readonly level: "Warning" | "Error";
    readonly type: "API Availability" | "Update Speed" | "Update Stalled" | "Unknown";
    readonly summary: string;
    readonly description: string;
  };
  readonly remediation: { readonly reference: string };
};

const OPERATOR_RUNBOOKS = "https://github.com/openshift/runbooks/blob/master/alerts/cluster-monitoring-operator";
const NODES_PAGE =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/machine_configuration/machine-config-index";
const UPDATES_PAGE =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/index";

/** The API's bounds. */
const MAX_SUMMARY = 256;
const MAX_DESCRIPTION = 1_000;

/** What the other insights say of the cluster's health: nothing is reported here that none of them shows. */
export type InsightSubjects = {
  readonly clusterVersion: JsonObject;
  readonly progress: UpdateProgress;
  readonly operators: readonly OperatorInsight[];
  readonly pools: readonly PoolInsight[];
  readonly nodes: readonly NodeInsight[];
};

export function buildHealthInsights(subjects: InsightSubjects): readonly HealthInsight[] {
  return [
    ...buildFailing(subjects),
    ...subjects.operators.flatMap(buildOperatorHealth),
    ...subjects.pools.flatMap(buildPoolHealth),
    ...subjects.nodes.flatMap(buildNodeHealth),
  ];
}

function buildFailing({ clusterVersion, progress }: InsightSubjects): readonly HealthInsight[] {
  const failing = findCondition(clusterVersion, "Failing");
  if (textAt(failing, "status") !== "True") return [];
  const isUpdating = progress.state === "running";
  return [
    build({
      id: "cv-version-failing",
      type: "ControlPlane",
      resource: { group: "config.openshift.io", resource: "clusterversions", name: "version" },
      level: "Error",
      impact: isUpdating ? "Update Stalled" : "Unknown",
      summary: isUpdating ? `The update to ${progress.target} is failing` : "The cluster-version operator is failing",
      description: textAt(failing, "message") ?? "",
      reference: UPDATES_PAGE,
    }),
  ];
}

function buildOperatorHealth({ name, resource, conditions }: OperatorInsight): readonly HealthInsight[] {
  const health = conditions.find(({ type }) => type === "Healthy");
  if (health?.status !== "False") return [];
  const isDown = health.reason === "Unavailable";
  return [
    build({
      id: `co-${name}-${health.reason.toLowerCase()}`,
      type: "ControlPlane",
      resource,
      level: isDown ? "Error" : "Warning",
      impact: "API Availability",
      summary: `ClusterOperator ${name} is ${isDown ? "unavailable" : "degraded"}`,
      description: health.message,
      reference: `${OPERATOR_RUNBOOKS}/${isDown ? "ClusterOperatorDown" : "ClusterOperatorDegraded"}.md`,
    }),
  ];
}

function buildPoolHealth({ name, resource, scopeType, assessment, summaries }: PoolInsight): readonly HealthInsight[] {
  if (assessment !== "Excluded") return [];
  const excluded = summaries.find(({ type }) => type === "Excluded")?.count ?? 0;
  return [
    build({
      id: `mcp-${name}-paused`,
      type: scopeType,
      resource,
      level: "Warning",
      impact: "Update Stalled",
      summary: `MachineConfigPool ${name} is paused, and ${excluded} of its nodes are outdated`,
      description: "These nodes are updated once spec.paused of the pool is false.",
      reference: NODES_PAGE,
    }),
  ];
}

/** A node that is being updated is expected to be unavailable for a while. */
function buildNodeHealth({ name, resource, scopeType, conditions, message }: NodeInsight): readonly HealthInsight[] {
  const isDegraded = isVerdict(conditions, "Degraded", "True");
  const isLost = isVerdict(conditions, "Available", "False") && !isVerdict(conditions, "Updating", "True");
  if (!isDegraded && !isLost) return [];
  return [
    build({
      id: `node-${name}-${isDegraded ? "degraded" : "unavailable"}`,
      type: scopeType,
      resource,
      level: isDegraded ? "Error" : "Warning",
      impact: isDegraded ? "Update Stalled" : "Update Speed",
      summary: `Node ${name} is ${isDegraded ? "degraded" : "unavailable"}`,
      description: message ?? "",
      reference: NODES_PAGE,
    }),
  ];
}

type HealthFacts = {
  readonly id: string;
  readonly type: NodeInsight["scopeType"];
  readonly resource: InsightResource;
  readonly level: HealthInsight["impact"]["level"];
  readonly impact: HealthInsight["impact"]["type"];
  readonly summary: string;
  readonly description: string;
  readonly reference: string;
};

function build({ id, type, resource, level, impact, summary, description, reference }: HealthFacts): HealthInsight {
  return {
    id,
    scope: { type, resources: [resource] },
    impact: {
      level,
      type: impact,
      summary: takeCharacters(summary, MAX_SUMMARY),
      description: takeCharacters(description, MAX_DESCRIPTION),
    },
    remediation: { reference },
  };
}
