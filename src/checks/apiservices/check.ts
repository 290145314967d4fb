import { type Unknown, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { joinNames, sortNames } from "../../model/names.ts";
import { each, soundInPart } from "../../model/read.ts";
import { formatRef } from "../../model/resource.ts";
import { type ApiService, type ApiServiceVerdict, keepApiService, judgeApiService } from "./api-services.ts";
import { aggregatedApiUnavailable } from "./risks.ts";

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
