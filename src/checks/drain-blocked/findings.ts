import { type Context, type Finding, type Unknown, sortFindings } from "../../model/check.ts";
import {
  buildObjectCommand,
  buildPatchCommand,
  buildPrefix,
  formatObjectArgument,
  quoteArgument,
} from "../../model/commands.ts";
import { compareText } from "../../model/json.ts";
import { type ObjectRef, formatRef } from "../../model/resource.ts";
import { MAX_NAMED, capitalize, summarizeNames } from "../../model/text.ts";
import type { Platform } from "../../model/version.ts";
import { readRisks } from "../shared/risks.ts";
import { type Budget, type BudgetState, getLimitPath, refOfBudget } from "./budget.ts";
import type { SelectedPods } from "./pods.ts";
import { type DrainVerdict, type Overlap, canEvictUnhealthy, isNever } from "./verdict.ts";

export const risks = readRisks("drain-blocked", {
  DrainBlockedByDisruptionBudget: {
    remediation: { remedy: (_, findings = []) => formatRemedies(findings) },
    fixKind: "weakening",
    fix: buildLimitCommands,
  },
  DisruptionBudgetExhausted: {
    see: ({ object }, { platform }) => [
      buildObjectCommand(platform, "get", object),
      `${buildPrefix(platform, object.namespace)} get pods`,
      `${buildPrefix(platform, object.namespace)} get events`,
    ],
  },
  DisruptionBudgetNotComputed: {
    fixKind: "weakening",
    fix: ({ object }, { platform }) => [buildMinAvailable(object, platform, "<number>")],
  },
  PodsInSeveralDisruptionBudgets: {
    see: ({ object, detail }, { platform }) =>
      [object, { ...object, name: detail?.["other"] ?? object.name }].map((ref) =>
        buildObjectCommand(platform, "get", ref),
      ),
    fixKind: "weakening",
    fix: ({ object }, { platform }) => [
      `${buildPrefix(platform, object.namespace)} delete ${formatObjectArgument({ ...object, name: "" })}<one-of-the-two>`,
    ],
  },
});

/** The limit that spares a pod; where the controllers' pods decide, the selector is a choice. */
function buildLimitCommands({ object, path, detail }: Finding, { platform }: Context): readonly string[] {
  if (path === "spec.selector") return [buildObjectCommand(platform, "edit", object)];
  const limit = detail?.["limit"] ?? "";
  if (limit === "maxUnavailable 1")
    return [buildPatchCommand(platform, object, { spec: { minAvailable: null, maxUnavailable: 1 } })];
  return [buildMinAvailable(object, platform, /^minAvailable (\d+)$/.exec(limit)?.[1] ?? "<number>")];
}

/** `<number>` is no JSON: the command fails until it is replaced. */
function buildMinAvailable(object: ObjectRef, platform: Platform, number: string): string {
  const patch = `{"spec":{"maxUnavailable":null,"minAvailable":${number}}}`;
  return `${buildPrefix(platform, object.namespace)} patch ${formatObjectArgument(object)} --type=merge -p ${quoteArgument(patch)}`;
}

/** `pods` is undefined if the status alone decides. */
export function buildFindings(budget: Budget, verdict: DrainVerdict, pods?: SelectedPods): readonly Finding[] {
  if (verdict === "notComputed") return [buildNotComputedFinding(budget)];
  const message = formatNever(budget, verdict, pods);
  const object = refOfBudget(budget);
  if (budget.manager) return [];
  if (verdict === "exhausted") {
    const text = "It has allowed no disruption for at least 2 hours, so no healthy pod can be evicted now.";
    return [{ risk: risks.DisruptionBudgetExhausted.name, object, message: text }];
  }
  if (message === undefined) return [];
  const path = verdict === "selectsPart" ? "spec.selector" : getLimitPath(budget);
  const limit = findSparingLimit(budget, verdict, pods);
  const detail = limit === undefined ? undefined : { limit };
  return [{ risk: risks.DrainBlockedByDisruptionBudget.name, object, path, detail, message }];
}

/** The limit with which one of the healthy pods may be evicted; a number in minAvailable also suits pods without a controller. */
function findSparingLimit({ state }: Budget, verdict: DrainVerdict, pods?: SelectedPods): string | undefined {
  if (verdict !== "requiresAll" || state?.limit === undefined) return undefined;
  const { field, isPercent } = state.limit;
  if (field === "maxUnavailable" || isPercent) return "maxUnavailable 1";
  const count = countPossible(state, pods);
  return count > 0 ? `minAvailable ${count - 1}` : undefined;
}

/** The pods that are healthy or can become so. */
function countPossible({ numbers }: BudgetState, pods?: SelectedPods): number {
  return pods ? pods.managed + pods.bare : (numbers?.expectedPods ?? 0);
}

function formatNever(budget: Budget, verdict: DrainVerdict, pods?: SelectedPods): string | undefined {
  if (verdict === "requiresAll") return formatRequiresAll(budget, pods);
  const message = NEVER_MESSAGES[verdict];
  return verdict === "selectsPart" && hasSurplus(budget, pods)
    ? `${message} There are more pods than replicas now, as during a rollout: look again when it has ended.`
    : message;
}

/** Pods that the selector doesn't take count as permanent, surplus ones too. */
function hasSurplus({ state }: Budget, pods?: SelectedPods): boolean {
  return pods !== undefined && pods.managed + pods.siblings > (state?.numbers?.expectedPods ?? 0);
}

function formatRequiresAll({ state }: Budget, pods?: SelectedPods): string {
  if (state?.limit === undefined) return "It requires all pods, so none can be evicted.";
  const { field, amount, isPercent } = state.limit;
  if (isPercent || field === "maxUnavailable")
    return `${field} ${amount}${isPercent ? "%" : ""} spares no pod, so none can be evicted.`;
  const relation = amount > countPossible(state, pods) ? "exceeds" : "equals";
  const missing = pods?.managed === 0 ? "" : ", not counting replicas that are missing now";
  return `${field} ${relation} the number of pods${missing}, so none can be evicted.`;
}

const NEVER_MESSAGES: { readonly [K in DrainVerdict]?: string } = {
  requiresGone:
    "It requires as many healthy pods as exist, not counting those that have ended or are being deleted. No healthy pod can be evicted.",
  selectsPart:
    "Its limit counts all replicas of a controller, but its selector takes only some of their pods, so no healthy pod can be evicted.",
  countsNone: "Its limit counts the replicas of controllers, and its pods have none, so no healthy pod can be evicted.",
};

function buildNotComputedFinding(budget: Budget): Finding {
  const reason = (budget.state?.failure ?? "").replace(/[.\s]+$/, "");
  const message = `The disruption controller can't compute it: ${reason}.`;
  return { risk: risks.DisruptionBudgetNotComputed.name, object: refOfBudget(budget), message };
}

export function buildOverlapFinding({ budget, other, pods }: Overlap): Finding {
  const subject = pods.length === 0 ? "Its pods" : `${pods.length === 1 ? "Pod" : "Pods"} ${summarizeNames(pods)}`;
  const message = `${subject} also ${pods.length === 1 ? "belongs" : "belong"} to ${formatRef(refOfBudget(other))}, and a running pod with two budgets can't be evicted.`;
  const detail = { other: other.name };
  return {
    risk: risks.PodsInSeveralDisruptionBudgets.name,
    object: refOfBudget(budget),
    path: "spec.selector",
    message,
    detail,
  };
}

export function buildUnknowns(budget: Budget, verdict: DrainVerdict): readonly Unknown[] {
  if (verdict !== "notUnderstood" && verdict !== "stale") return [];
  const where = formatRef(refOfBudget(budget));
  if (verdict === "notUnderstood")
    return [{ reason: "NotReported", where, message: "its status lacks the numbers of pods" }];
  if (budget.manager && isHandled(verdict)) return [];
  return [{ reason: "StaleStatus", where, message: "its status doesn't cover its latest spec yet" }];
}

/** Collects the budgets that stall a drain for a while, or only seem to: the first names of each notice, and the number of all. */
type NoticeCollector = {
  readonly add: (budget: Budget, verdict: DrainVerdict, pods: SelectedPods | undefined) => void;
  readonly notices: () => readonly string[];
};

export function createNoticeCollector(): NoticeCollector {
  const groups = new Map<string, { readonly names: string[]; count: number }>();
  return {
    add(budget, verdict, pods) {
      const text = selectText(budget, verdict, pods);
      if (text === undefined) return;
      const group = groups.get(text) ?? { names: [], count: 0 };
      groups.set(text, group);
      group.count += 1;
      group.names.push(`${budget.namespace}/${budget.name}`);
      group.names.sort(compareText);
      group.names.splice(MAX_NAMED + 1);
    },
    notices: () =>
      [...groups].map(([text, { names, count }]) => `PodDisruptionBudget ${summarizeNames(names, count)}: ${text}`),
  };
}

const NOT_NOW =
  'no healthy pod can be evicted now, because no more pods are healthy than the budget requires. A drain waits until "kubectl get poddisruptionbudgets -A" shows at least 1 allowed disruption.';

const ALWAYS_ALLOW = "Unhealthy pods can go before that with spec.unhealthyPodEvictionPolicy AlwaysAllow.";

function selectText(budget: Budget, verdict: DrainVerdict, pods: SelectedPods | undefined): string | undefined {
  const { manager, state } = budget;
  if (manager && isHandled(verdict))
    return `no healthy pod can be evicted now. When a node is drained, ${manager.name} ${manager.action}.`;
  if (verdict === "notComputedYet")
    return "the disruption controller failed to compute the budget less than 10 minutes ago, and no healthy pod can be evicted until it succeeds.";
  if (verdict === "ofDaemonSet")
    return "the disruption controller can't compute the budget. All of its pods belong to DaemonSets or are static pods, and drains don't evict these.";
  if (verdict !== "notNow" || state === undefined) return undefined;
  return pods && pods.unhealthy > 0 && !canEvictUnhealthy(state) ? `${NOT_NOW} ${ALWAYS_ALLOW}` : NOT_NOW;
}

/** Whether the operator that manages the budget resolves this. */
function isHandled(verdict: DrainVerdict): boolean {
  return verdict === "notNow" || verdict === "exhausted" || verdict === "stale" || isNever(verdict);
}

/** As many unknowns as a report names; more are only counted. */
const MAX_COLLECTED = 10_000;

/** Collects unknowns; the last one stands for all that are only counted. */
export function createUnknownCollector(): {
  readonly add: (unknowns: readonly Unknown[]) => void;
  readonly result: () => readonly Unknown[];
} {
  const unknowns: Unknown[] = [];
  let omitted = 0;
  return {
    add(more) {
      for (const unknown of more)
        if (unknowns.length < MAX_COLLECTED) unknowns.push(unknown);
        else omitted += 1;
    },
    result() {
      if (omitted === 0) return unknowns;
      const message = `the same holds for ${omitted} more`;
      return [...unknowns, { reason: "TooManyObjects", where: "poddisruptionbudgets.policy", message }];
    },
  };
}

/** Before anything is found. */
const GENERAL = "let more pods run than the budget requires, or let it require fewer";

const NUMBER = /^minAvailable (\d+)$/;

/** What lets a budget spare a pod. */
function findRemedy({ path = "", detail }: Finding): string {
  if (path === "spec.selector") return "let the selector take all pods of their controller";
  const limit = detail?.["limit"] ?? "";
  if (limit === "maxUnavailable 1")
    return path === "spec.minAvailable"
      ? "replace spec.minAvailable by spec.maxUnavailable: 1"
      : "set spec.maxUnavailable to 1";
  const number = NUMBER.exec(limit)?.[1];
  if (number !== undefined) return `let more pods run than spec.minAvailable requires, or set it to ${number}`;
  return "set spec.minAvailable to a number that is below that of its pods";
}

/** "Set spec.maxUnavailable to 1, or delete ...", or each of several remedies with the budgets that it is for. */
function formatRemedies(findings: readonly Finding[]): string {
  const groups = [...Map.groupBy(sortFindings(findings), findRemedy)];
  const [[remedy] = [GENERAL]] = groups;
  if (groups.length < 2) return `${capitalize(remedy)}, or delete the budget during the update`;
  return [...groups.map(formatGroup), "or delete these budgets during the update"].map(capitalize).join(". ");
}

function formatGroup([remedy, findings]: readonly [string, readonly Finding[]]): string {
  const names = findings.map(({ object }) => `${object.namespace ?? ""}/${object.name}`);
  return `for ${summarizeNames([...new Set(names)])}, ${remedy}`;
}
