import { type Unknown, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { joinNames, sortNames } from "../../model/names.ts";
import { each, soundInPart } from "../../model/read.ts";
import { formatRef, type ObjectRef, refOf } from "../../model/resource.ts";
import { aggregatedApiUnavailable } from "./risks.ts";
import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, at, isObject, textAt } from "../../model/json.ts";
import { getAge } from "../../model/time.ts";
import { type ConditionTexts, parseConditionTexts } from "../shared/conditions.ts";

export default defineCheck({
  id: "apiservices",
  name: "ApiServices",
  title: "Aggregated APIs are available",
  risks: [aggregatedApiUnavailable],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  platforms: ["openshift", "kubernetes"],
  seenAfterUpdate: "The components behind the APIs are updated too.",
  reads: () => ({ services: soundInPart("object", each("apiregistration.k8s.io/v1/apiservices", keepApiService)) }),
  evaluate({ services }, { now }): Judgement {
    if (services.kind === "absent") return { notApplicable: "The API server doesn't aggregate other APIs." };
    const judgedServices = services.values.map((service) => ({ service, verdict: judgeApiService(service, now) }));
    const selectServices = (expected: ApiServiceVerdict) =>
      judgedServices.filter(({ verdict }) => verdict === expected).map(({ service }) => service);
    return {
      findings: selectServices("down").map(buildFinding),
      notices: buildRestartingNotices(selectServices("restarting")),
      unknowns: selectServices("notReported").map(buildUnknown),
    };
  },
});

function buildFinding({ object, reason, message }: ApiService): Finding {
  const why = [reason, message].filter((part) => part !== "").join(": ") || "no reason reported";
  return {
    risk: aggregatedApiUnavailable.name,
    object,
    path: "spec.service",
    message: `It is unavailable (${why}).`,
    ...(reason === "" ? {} : { detail: { reason } }),
  };
}

function buildRestartingNotices(services: readonly ApiService[]): readonly string[] {
  if (services.length === 0) return [];
  const names = joinNames(sortNames(services.map(({ object }) => object.name)));
  return [
    `APIService ${names}: unavailable, so far for less than 10 minutes. Update once "kubectl get apiservices" shows True again.`,
  ];
}

function buildUnknown({ object }: ApiService): Unknown {
  return {
    reason: "NotReported",
    where: formatRef(object),
    message: "its condition Available is neither True nor False",
  };
}

/** An API that another server serves, with its condition Available. */
type ApiService = ConditionTexts & {
  readonly object: ObjectRef;
  /** The time of the condition's last transition; without one, the object's creation. */
  readonly since: string;
};

const MAX_MESSAGE_LENGTH = 300;

/** The API server itself serves the APIs without a Service. */
function keepApiService(object: JsonObject): ApiService | undefined {
  if (!isObject(at(object, "spec", "service"))) return undefined;
  const { message, since, ...texts } = parseConditionTexts(findCondition(object, "Available"));
  return {
    object: refOf(object),
    ...texts,
    message: message.slice(0, MAX_MESSAGE_LENGTH),
    since: since || (textAt(object, "metadata", "creationTimestamp") ?? ""),
  };
}

/** How long a server may be away before that is a risk: a single pod on a lost node is replaced after six minutes. */
const GRACE_PERIOD_MS = 10 * 60_000;

type ApiServiceVerdict = "available" | "down" | "restarting" | "notReported";

function judgeApiService({ status, since }: ApiService, now: Date): ApiServiceVerdict {
  if (status === "True") return "available";
  if ((getAge(since, now) ?? GRACE_PERIOD_MS) < GRACE_PERIOD_MS) return "restarting";
  return status === "False" ? "down" : "notReported";
}
