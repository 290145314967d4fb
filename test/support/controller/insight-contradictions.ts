import { at, isObject, type Json, type JsonObject, listAt, numberAt, textAt } from "../../../src/model/json.ts";

// What must never be said at once, read from the written insights alone.

export function findInsightContradictions(
  clusterVersion: JsonObject,
  insights: ReadonlyMap<string, JsonObject>,
): readonly string[] {
  const all = [...insights.values()];
  const pools = all.flatMap((one) => listMember(one, "machineConfigPool"));
  const nodes = all.flatMap((one) => listMember(one, "node"));
  const operators = all.flatMap((one) => listMember(one, "clusterOperator"));
  return [
    ...operators.flatMap((one) => judgeControlPlanePart(clusterVersion, one)),
    ...[...pools, ...nodes]
      .filter((one) => textAt(one, "scopeType") === "ControlPlane")
      .flatMap((one) => judgeControlPlanePart(clusterVersion, one)),
    ...nodes.flatMap((one) => judgeNode(clusterVersion, one)),
    ...pools.flatMap((one) => judgePool(one, nodes)),
    ...judgeHealth(all, [...operators, ...nodes, ...pools]),
    ...[clusterVersion, ...operators, ...pools, ...nodes].flatMap(judgeConditions),
  ];
}

function listMember(insight: JsonObject, key: string): readonly JsonObject[] {
  const member = at(insight, key);
  return isObject(member) ? [member] : [];
}

function nameOf(member: JsonObject): string {
  return `${textAt(member, "resource", "resource") ?? ""} ${textAt(member, "resource", "name") ?? ""}`;
}

function getCondition(member: JsonObject, type: string): Json | undefined {
  return listAt(member, "conditions").find((one) => textAt(one, "type") === type);
}

function getState(member: JsonObject, type: string): readonly [string, string] {
  const condition = getCondition(member, type);
  return [textAt(condition, "status") ?? "", textAt(condition, "reason") ?? ""];
}

/** A part of the control plane updates only while the control plane does, and waits for nothing afterwards. */
function judgeControlPlanePart(clusterVersion: JsonObject, part: JsonObject): readonly string[] {
  const [whole] = getState(clusterVersion, "Updating");
  const [status, reason] = getState(part, "Updating");
  const isLeft = status === "True" || ["Pending", "Paused"].includes(reason);
  return whole !== "True" && isLeft
    ? [`${nameOf(part)} is ${reason} although Updating of ClusterVersion is ${whole}`]
    : [];
}

function judgeNode(clusterVersion: JsonObject, node: JsonObject): readonly string[] {
  const target = textAt(clusterVersion, "versions", "target", "version");
  const [status, reason] = getState(node, "Updating");
  const isAtTarget = textAt(node, "version") === target;
  if (reason === "Completed" && !isAtTarget) return [`${nameOf(node)} is Completed at another version`];
  return (status === "True" || reason === "Pending" || reason === "Paused") && isAtTarget
    ? [`${nameOf(node)} is ${reason} at the target's version`]
    : [];
}

function judgePool(pool: JsonObject, allNodes: readonly JsonObject[]): readonly string[] {
  const name = textAt(pool, "name");
  const nodes = allNodes.filter((node) => textAt(node, "poolResource", "name") === name);
  const count = (test: (node: JsonObject) => boolean): number => nodes.filter(test).length;
  const reason = (node: JsonObject): string => getState(node, "Updating")[1];
  const updated = count((node) => reason(node) === "Completed");
  const expected: Readonly<Record<string, number>> = {
    Total: nodes.length,
    Available: count((node) => getState(node, "Available")[0] === "True"),
    Progressing: count((node) => getState(node, "Updating")[0] === "True"),
    Outdated: count((node) => getState(node, "Updating")[0] !== "Unknown" && reason(node) !== "Completed"),
    Draining: count((node) => reason(node) === "Draining"),
    Excluded: count((node) => reason(node) === "Paused"),
    Degraded: count((node) => getState(node, "Degraded")[0] === "True"),
  };
  const counts = Object.fromEntries(
    listAt(pool, "summaries").map((one) => [textAt(one, "type") ?? "", numberAt(one, "count") ?? -1]),
  );
  const isDone = nodes.length === updated;
  return [
    ...Object.entries(expected).flatMap(([type, number]) =>
      counts[type] === number ? [] : [`${nameOf(pool)} counts ${counts[type]} ${type} of ${number}`],
    ),
    ...((textAt(pool, "assessment") === "Completed") === isDone ? [] : [`${nameOf(pool)} is not as its nodes are`]),
    ...((numberAt(pool, "completion") === 100) === isDone ? [] : [`${nameOf(pool)} has another completion`]),
    ...((getState(pool, "Updating")[0] === "True") === (expected["Progressing"] !== 0)
      ? []
      : [`${nameOf(pool)} updates, and none of its nodes does, or the other way round`]),
  ];
}

/** Each fault has its health insight, and each health insight its fault. */
function judgeHealth(all: readonly JsonObject[], members: readonly JsonObject[]): readonly string[] {
  const faulty = members.filter(isFaulty).map(nameOf);
  const told = all
    .filter((one) => textAt(one, "type") === "Health")
    .map((one) => at(one, "health", "scope", "resources", 0))
    .map((resource) => `${textAt(resource, "resource") ?? ""} ${textAt(resource, "name") ?? ""}`)
    .filter((name) => name !== "clusterversions version");
  return [
    ...faulty.filter((name) => !told.includes(name)).map((name) => `no health insight speaks of ${name}`),
    ...told.filter((name) => !faulty.includes(name)).map((name) => `a health insight speaks of ${name}, which is well`),
  ];
}

function isFaulty(member: JsonObject): boolean {
  const isAway = getState(member, "Available")[0] === "False" && getState(member, "Updating")[0] !== "True";
  return (
    getState(member, "Healthy")[0] === "False" ||
    getState(member, "Degraded")[0] === "True" ||
    isAway ||
    textAt(member, "assessment") === "Excluded"
  );
}

const REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

/** As the API server would require of a metav1.Condition. */
function judgeConditions(member: JsonObject): readonly string[] {
  return listAt(member, "conditions").flatMap((one) => {
    const isValid =
      REASON.test(textAt(one, "reason") ?? "") &&
      typeof at(one, "message") === "string" &&
      !Number.isNaN(Date.parse(textAt(one, "lastTransitionTime") ?? ""));
    return isValid ? [] : [`${nameOf(member)} has an invalid condition ${JSON.stringify(one)}`];
  });
}
