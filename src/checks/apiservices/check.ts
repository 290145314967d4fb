import { type Blind, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { byText } from "../../model/json.ts";
import { joinNames } from "../../model/names.ts";
import { each } from "../../model/read.ts";
import { refText } from "../../model/resource.ts";
import { type ApiService, keepApiService, verdictOf } from "./services.ts";
import { unavailable } from "./risks.ts";

export default defineCheck({
  id: "apiservices",
  name: "ApiServices",
  title: "Aggregated APIs are available",
  risks: [unavailable],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  portable: true,
  reads: () => ({ services: each("apiregistration.k8s.io/v1/apiservices", keepApiService) }),
  evaluate({ services }, { now }): Judgement {
    if (services.kind === "absent") return { notApplicable: "The API server doesn't aggregate other APIs." };
    const judged = services.values.map((service) => ({ service, verdict: verdictOf(service, now) }));
    const having = (wanted: string) => judged.filter(({ verdict }) => verdict === wanted).map(({ service }) => service);
    return {
      findings: having("down").map(findingOf),
      notices: restarting(having("restarting")),
      blind: having("notSaid").map(blindFor),
    };
  },
});

function findingOf({ object, reason, message }: ApiService): Finding {
  const why = [reason, message].filter((part) => part !== "").join(": ") || "no reason is given";
  return { risk: unavailable.name, object, path: "spec.service", message: `It is not available (${why}).` };
}

function restarting(services: readonly ApiService[]): readonly string[] {
  if (services.length === 0) return [];
  const names = services.map(({ object }) => object.name).toSorted(byText);
  return [`APIService ${joinNames(names)}: not available at the moment. If that lasts, it is a risk.`];
}

function blindFor({ object }: ApiService): Blind {
  return {
    reason: "NotReported",
    where: refText(object),
    message: "it has no condition Available that is True or False",
  };
}
