import { type Blind, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { textAt } from "../../model/json.ts";
import { type Listed, each, valuesOf } from "../../model/read.ts";
import { backendsOf, keepService, keepSlice, stateOf } from "./backends.ts";
import { keepConversion, keepHooks } from "./hooks.ts";
import { type Judged, isRisk, noticesOf } from "./notices.ts";
import { reachOf } from "./reach.ts";
import { admissionDown, conversionDown } from "./risks.ts";
import { labelsAt } from "./selectors.ts";
import { writtenBy } from "./written.ts";

export default defineCheck({
  id: "webhooks",
  name: "Webhooks",
  title: "Webhooks that must answer have somebody to answer",
  risks: [admissionDown, conversionDown],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  portable: true,
  reads: () => ({
    validating: each(
      "admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
      keepHooks("ValidatingWebhookConfiguration"),
    ),
    mutating: each(
      "admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
      keepHooks("MutatingWebhookConfiguration"),
    ),
    conversions: each("apiextensions.k8s.io/v1/customresourcedefinitions", keepConversion),
    namespaces: each("v1/namespaces", (object) => ({
      name: textAt(object, "metadata", "name") ?? "",
      labels: labelsAt(object, "metadata", "labels"),
    })),
    services: each("v1/services", keepService),
    slices: each("discovery.k8s.io/v1/endpointslices", keepSlice),
  }),
  evaluate({ validating, mutating, conversions, namespaces, services, slices }, { now, release }): Judgement {
    if ([validating, mutating, conversions].every(({ kind }) => kind === "absent"))
      return { notApplicable: "The API server knows neither admission webhooks nor conversion webhooks." };
    const blind = [...notServed("services", services), ...notServed("endpointslices.discovery.k8s.io", slices)];
    if (blind.length > 0) return { blind };
    const backends = backendsOf(valuesOf(services), valuesOf(slices));
    const written = writtenBy(release);
    const judged: readonly Judged[] = [
      ...[...valuesOf(validating), ...valuesOf(mutating)].flat().map((caller) => ({
        caller,
        state: stateOf(caller.client, backends, now),
        reach: reachOf(caller, valuesOf(namespaces), written),
      })),
      ...valuesOf(conversions).map((caller) => ({
        caller,
        state: stateOf(caller.client, backends, now),
        reach: "writes" as const,
      })),
    ];
    return { findings: judged.filter(isRisk).flatMap(findingOf), notices: noticesOf(judged) };
  },
});

function notServed(where: string, { kind }: Listed<unknown>): readonly Blind[] {
  const message = "the API server doesn't serve it, so what answers webhooks is not known";
  return kind === "absent" ? [{ reason: "NotServed", where, message }] : [];
}

function findingOf({ caller: { object, path }, state }: Judged): readonly Finding[] {
  if (state.kind !== "down") return [];
  const risk = object.kind === "CustomResourceDefinition" ? conversionDown : admissionDown;
  return [{ risk: risk.name, object, path, message: `Nothing can answer for it: ${state.why}.` }];
}
