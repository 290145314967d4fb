import { findOwn } from "../../model/optional.ts";
import { type Unknown, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import {
  type Each,
  eachMetadata,
  type ListResult,
  each,
  type ReadResults,
  valuesOf,
  soundInPart,
  withAnnotations,
  withManagedFields,
} from "../../model/read.ts";
import { buildBackends, keepService, keepEndpointSlice, getBackendState, LAST_CHANGE } from "./backends.ts";
import { keepConversionWebhook, keepAdmissionWebhooks } from "./webhooks.ts";
import { type JudgedWebhook, isRisk, buildNotices } from "./notices.ts";
import { type Namespace, judgeReach, selectWrittenKinds } from "./reach.ts";
import { failClosedWebhookWithoutBackend, conversionWebhookWithoutBackend } from "./risks.ts";
import { parseLabels } from "../../model/label-selector.ts";

type WebhookReads = ReturnType<typeof buildReads>;

/** The objects of the kinds that a webhook without a backend converts, by the name of the definition: only whether there are any. */
type ObjectReads = Readonly<Record<string, Each<true>>>;

function buildReads() {
  return {
    validating: each(
      "admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
      keepAdmissionWebhooks("ValidatingWebhookConfiguration"),
    ),
    mutating: each(
      "admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
      keepAdmissionWebhooks("MutatingWebhookConfiguration"),
    ),
    conversions: each("apiextensions.k8s.io/v1/customresourcedefinitions", keepConversionWebhook),
    namespaces: soundInPart("object", each("v1/namespaces", keepNamespace)),
    services: soundInPart("namespace", each("v1/services", keepService)),
    slices: withAnnotations(
      [LAST_CHANGE],
      withManagedFields(soundInPart("namespace", each("discovery.k8s.io/v1/endpointslices", keepEndpointSlice))),
    ),
  };
}

function keepNamespace(object: JsonObject): Namespace {
  return {
    name: textAt(object, "metadata", "name") ?? "",
    labels: parseLabels(object, "metadata", "labels"),
  };
}

export default defineCheck({
  id: "webhooks",
  title: "Webhooks that must answer have a ready backend",
  risks: [failClosedWebhookWithoutBackend, conversionWebhookWithoutBackend],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  platforms: ["openshift", "kubernetes"],
  reads: buildReads,
  follow: (values, context) => buildObjectReads(values, context.now),
  evaluate({ validating, mutating, conversions, namespaces, services, slices }, { now, release }, followed): Judgement {
    if ([validating, mutating, conversions].every(({ kind }) => kind === "absent"))
      return { notApplicable: "The API server serves neither webhook configurations nor CustomResourceDefinitions." };
    const unknowns = [
      ...buildNotServedUnknowns("services", services),
      ...buildNotServedUnknowns("endpointslices.discovery.k8s.io", slices),
    ];
    if (unknowns.length > 0) return { unknowns };
    const backends = buildBackends(services, slices, namespaces);
    const writtenKinds = selectWrittenKinds(release);
    const judgedWebhooks: readonly JudgedWebhook[] = [
      ...[...valuesOf(validating), ...valuesOf(mutating)].flat().map((webhook) => ({
        webhook,
        state: getBackendState(webhook.client, backends, now),
        reach: judgeReach(webhook, valuesOf(namespaces), writtenKinds),
      })),
      ...valuesOf(conversions).map((webhook) => ({
        webhook,
        state: getBackendState(webhook.client, backends, now),
        reach: hasNoObjects(findOwn(followed, webhook.object.name)) ? ("empty" as const) : ("writes" as const),
      })),
    ];
    return {
      findings: judgedWebhooks.filter(isRisk).flatMap(buildFindings),
      notices: buildNotices(judgedWebhooks.filter(({ reach }) => reach !== "nothing" || !isHeldInPart(namespaces))),
      irrelevantReads: valuesOf(conversions).map(({ object }) => object.name),
    };
  },
});

/** A kind that can't be listed may have objects: then the webhook is a risk, whatever the failure was. */
function buildObjectReads(
  { conversions, services, slices, namespaces }: ReadResults<WebhookReads>,
  now: Date,
): ObjectReads {
  const backends = buildBackends(services, slices, namespaces);
  const down = valuesOf(conversions).filter(({ client }) => getBackendState(client, backends, now).kind === "down");
  return Object.fromEntries(
    down.map(({ object, resource }) => [object.name, eachMetadata(resource, (): true => true)] as const),
  );
}

function hasNoObjects(list: ListResult<true> | undefined): boolean {
  return list?.kind === "found" && list.values.length === 0;
}

/** Namespaces that an archive lacks may be those that a webhook sees. */
function isHeldInPart(namespaces: ListResult<Namespace>): boolean {
  return namespaces.kind === "found" && namespaces.heldNamespaces !== undefined;
}

function buildNotServedUnknowns(where: string, { kind }: ListResult<unknown>): readonly Unknown[] {
  const message = "the API server doesn't serve it, so the check can't tell which webhooks have a backend";
  return kind === "absent" ? [{ reason: "NotServed", where, message }] : [];
}

function buildFindings({ webhook: { object, path }, state }: JudgedWebhook): readonly Finding[] {
  if (state.kind !== "down") return [];
  const risk =
    object.kind === "CustomResourceDefinition" ? conversionWebhookWithoutBackend : failClosedWebhookWithoutBackend;
  const detail = { service: state.service, lacks: state.lacks };
  return [{ risk: risk.name, object, path, message: `No backend can answer: ${state.why}.`, detail }];
}
