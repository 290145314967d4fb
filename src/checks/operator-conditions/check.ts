import { readRisks } from "../shared/risks.ts";
import { type Unknown, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { each, valuesOf } from "../../model/read.ts";
import { quoteText } from "../../model/text.ts";
import { type ObjectRef, formatRef, refOf } from "../../model/resource.ts";
import { isWithinMinutes } from "../../model/time.ts";
import { type Subscribed, findSubscription, isUpdatePending, keepSubscribed } from "../shared/operator-subscription.ts";
import { buildNamesNotice } from "../shared/judgements.ts";
import { type Json, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { findCondition } from "../../model/object.ts";
import { parseConditionTexts } from "../shared/conditions.ts";

const risks = readRisks("operator-conditions", { OperatorRefusesUpdates: {}, OperatorUpdatesNotResolved: {} });

export default defineCheck({
  id: "operator-conditions",
  title: "No installed operator reports that it must not or can't be updated",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["minor"] },
  reads: () => ({
    conditions: each("operators.coreos.com/v2/operatorconditions", keepRefusal),
    subscriptions: each("operators.coreos.com/v1alpha1/subscriptions", keepSubscription),
    extensions: each("olm.operatorframework.io/v1/clusterextensions", keepUnresolvedExtension),
  }),
  evaluate({ conditions, subscriptions, extensions }, { now }) {
    if ([conditions, subscriptions, extensions].every(({ kind }) => kind === "absent"))
      return {
        notApplicable:
          "The API server serves none of the kinds by which OLM reports on operators (OperatorCondition, Subscription, ClusterExtension).",
      };
    const operators = {
      conditions: valuesOf(conditions),
      pending: valuesOf(subscriptions).flatMap(({ pending }) => pending ?? []),
      unresolved: [...valuesOf(subscriptions).flatMap(({ unresolved }) => unresolved ?? []), ...valuesOf(extensions)],
    };
    return judgeOperators(operators, now);
  },
});

const MAX_QUOTE_LENGTH = 160;
/** Operators report this briefly whenever their operands are incomplete, such as storage or a catalog while a node restarts. */
const GRACE_PERIOD_MINUTES = 30;

type Operators = {
  readonly conditions: readonly (OperatorRefusal | UnclearCondition)[];
  readonly pending: readonly Subscribed[];
  readonly unresolved: readonly Unresolved[];
};

export function judgeOperators({ conditions, pending, unresolved }: Operators, now: Date): Judgement {
  const refusals = conditions.filter((one) => one.kind === "refusal");
  const transient = new Set(refusals.filter((one) => isTransient(one, now)));
  const isLasting = ({ since }: Unresolved): boolean => !isWithinMinutes(since, GRACE_PERIOD_MINUTES, now);
  return {
    findings: [
      ...refusals.filter((one) => !transient.has(one)).map((one) => buildFinding(one, pending)),
      ...unresolved.filter(isLasting).map(buildUnresolvedFinding),
    ],
    notices: [
      ...buildTransientNotices([...transient]),
      ...buildApprovalNotices(pending.filter(({ isWaitingForApproval }) => isWaitingForApproval)),
    ],
    unknowns: conditions.flatMap((one) => (one.kind === "unclear" ? [buildUnknown(one)] : [])),
  };
}

/** An administrator's override counts at once. */
function isTransient({ isOverridden, since }: OperatorRefusal, now: Date): boolean {
  return !isOverridden && isWithinMinutes(since, GRACE_PERIOD_MINUTES, now);
}

function buildTransientNotices(refusals: readonly OperatorRefusal[]): readonly string[] {
  return buildNamesNotice(
    refusals.map(({ object }) => formatRef(object)),
    (names) =>
      `Operators have reported for less than half an hour that they must not be updated: ${names}. If this lasts, it becomes a risk.`,
  );
}

function buildFinding(refusal: OperatorRefusal, pending: readonly Subscribed[]): Finding {
  const { object, path, isOverridden, reason } = refusal;
  const refusalText = isOverridden
    ? "An administrator's override forbids updates of the operator now"
    : "The operator reports that it must not be updated now";
  const pendingUpdate = findSubscription(object, pending);
  const message = `${refusalText}${formatReason(refusal)}.${pendingUpdate ? ` OLM holds back its update to ${pendingUpdate.nextCsv}.` : ""}`;
  const detail = { ...(reason === "" ? {} : { reason }), ...(pendingUpdate ? { next: pendingUpdate.nextCsv } : {}) };
  return { risk: risks.OperatorRefusesUpdates.name, object, path, message, detail };
}

function buildUnresolvedFinding(unresolved: Unresolved): Finding {
  const { object, type, reason } = unresolved;
  const message = `Its condition ${type} says that OLM can't determine or install its updates${formatReason(unresolved)}.`;
  const detail = reason === "" ? {} : { detail: { reason } };
  return {
    risk: risks.OperatorUpdatesNotResolved.name,
    object,
    path: `status.conditions[${type}]`,
    message,
    ...detail,
  };
}

function formatReason({ reason, message }: Pick<OperatorRefusal, "reason" | "message">): string {
  const parts = [reason, message === "" ? "" : quoteText(message, MAX_QUOTE_LENGTH)].filter((part) => part !== "");
  return parts.length === 0 ? "" : ` (${parts.join(": ")})`;
}

/** The default catalogs move with the cluster, and may then lack a version that the operator needs in between. */
function buildApprovalNotices(waiting: readonly Subscribed[]): readonly string[] {
  return buildNamesNotice(
    waiting.map(({ namespace, name, nextCsv }) => `Subscription ${namespace}/${name} (to ${nextCsv})`),
    (names) =>
      `Updates of operators wait for approval: ${names}. Approve them before you update the cluster, since the default catalogs change with it.`,
  );
}

function buildUnknown({ object, path, status }: UnclearCondition): Unknown {
  const message = `the status of Upgradeable is "${status.slice(0, 40)}", which is not a valid status`;
  return { reason: "NotUnderstood", where: `${formatRef(object)} ${path}`, message };
}

/** Why OLM doesn't update an operator: its OperatorCondition is named like its ClusterServiceVersion. */
type OperatorRefusal = {
  readonly kind: "refusal";
  readonly object: ObjectRef;
  readonly path: string;
  /** Set by an administrator's override, and not by the operator. */
  readonly isOverridden: boolean;
  readonly reason: string;
  readonly message: string;
  /** When the condition last changed; "" if unknown. */
  readonly since: string;
};

/** A condition whose status isn't True, False or Unknown. */
type UnclearCondition = {
  readonly kind: "unclear";
  readonly object: ObjectRef;
  readonly path: string;
  readonly status: string;
};

const TYPE = "Upgradeable";
const STATUSES = ["True", "False", "Unknown"];

/**
 * OLM's rule: an override decides, and refuses unless it is True; otherwise the operator's condition decides, and refuses only if it is
 * False. Operators write `spec.conditions`, which OLM copies to `status.conditions`; older operators write the latter themselves.
 */
export function keepRefusal(object: JsonObject): OperatorRefusal | UnclearCondition | undefined {
  for (const path of ["spec.overrides", "spec.conditions", "status.conditions"] as const) {
    const condition = listAt(object, ...path.split(".")).find((one) => textAt(one, "type") === TYPE);
    if (condition !== undefined) return judgeCondition(object, path, condition);
  }
  return undefined;
}

function judgeCondition(
  operator: JsonObject,
  path: string,
  condition: Json,
): OperatorRefusal | UnclearCondition | undefined {
  const { status, ...texts } = parseConditionTexts(condition);
  const object = refOf(operator);
  if (!STATUSES.includes(status)) return { kind: "unclear", object, path, status };
  const isOverridden = path === "spec.overrides";
  if (status === "True" || (status === "Unknown" && !isOverridden)) return undefined;
  return { kind: "refusal", object, path, isOverridden, ...texts };
}

/** An installed operator whose updates OLM can't determine, by the condition that says so. */
export type Unresolved = {
  readonly object: ObjectRef;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** "" if unknown. */
  readonly since: string;
};

/** What matters of a Subscription. */
type Subscription = { readonly pending?: Subscribed; readonly unresolved?: Unresolved };

const FAILURES = ["CatalogSourcesUnhealthy", "ResolutionFailed"];

export function keepSubscription(subscription: JsonObject): Subscription | undefined {
  const operator = keepSubscribed(subscription);
  if (operator === undefined) return undefined;
  const isPending = isUpdatePending(operator);
  const type = FAILURES.find((one) => textAt(findCondition(subscription, one), "status") === "True");
  if (!isPending && type === undefined) return undefined;
  return {
    ...(isPending ? { pending: operator } : {}),
    ...(type === undefined ? {} : { unresolved: buildUnresolved(subscription, type) }),
  };
}

/** OLM v1: `Retrying` is a passing error that OLM tries to overcome, `Blocked` one that an administrator has to resolve. */
export function keepUnresolvedExtension(extension: JsonObject): Unresolved | undefined {
  const isInstalled = textAt(findCondition(extension, "Installed"), "status") === "True";
  const reason = textAt(findCondition(extension, "Progressing"), "reason") ?? "";
  return isInstalled && ["Retrying", "Blocked"].includes(reason)
    ? buildUnresolved(extension, "Progressing")
    : undefined;
}

function buildUnresolved(object: JsonObject, type: string): Unresolved {
  const { reason, message, since } = parseConditionTexts(findCondition(object, type));
  return { object: refOf(object), type, reason, message, since };
}
