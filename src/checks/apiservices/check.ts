import { type Unknown, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { joinNames } from "../../model/names.ts";
import { each } from "../../model/read.ts";
import { formatRef } from "../../model/resource.ts";
import { type ApiService, keepApiService, judgeApiService } from "./api-services.ts";
import { aggregatedApiUnavailable } from "./risks.ts";

export default defineCheck({
  id: "apiservices",
  name: "ApiServices",
  title: "Aggregated APIs are available",
  risks: [aggregatedApiUnavailable],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  portable: true,
  reads: () => ({ services: each("apiregistration.k8s.io/v1/apiservices", keepApiService) }),
  evaluate({ services }, { now }): Judgement {
    if (services.kind === "absent") return { notApplicable: "The API server doesn't aggregate other APIs." };
    const judgedServices = services.values.map((service) => ({ service, verdict: judgeApiService(service, now) }));
    const selectServices = (expected: string) =>
      judgedServices.filter(({ verdict }) => verdict === expected).map(({ service }) => service);
    return {
      findings: selectServices("down").map(buildFinding),
      notices: buildRestartingNotices(selectServices("restarting")),
      unknowns: selectServices("notSaid").map(buildUnknown),
    };
  },
});

function buildFinding({ object, reason, message }: ApiService): Finding {
  const why = [reason, message].filter((part) => part !== "").join(": ") || "no reason is given";
  return {
    risk: aggregatedApiUnavailable.name,
    object,
    path: "spec.service",
    message: `It is not available (${why}).`,
  };
}

function buildRestartingNotices(services: readonly ApiService[]): readonly string[] {
  if (services.length === 0) return [];
  const names = services.map(({ object }) => object.name).toSorted(compareText);
  return [`APIService ${joinNames(names)}: not available at the moment. If that lasts, it is a risk.`];
}

function buildUnknown({ object }: ApiService): Unknown {
  return {
    reason: "NotReported",
    where: formatRef(object),
    message: "it has no condition Available that is True or False",
  };
}
