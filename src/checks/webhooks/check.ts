import { findOwn } from "../../model/optional.ts";
import { type Unknown, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import {
  type ListResult,
  each,
  type ReadResults,
  valuesOf,
  soundInPart,
  withAnnotations,
  withManagedFields,
} from "../../model/read.ts";
import type { Release } from "../../model/release.ts";
import {
  type BackendState,
  buildBackends,
  keepService,
  keepEndpointSlice,
  getBackendState,
  LAST_CHANGE,
} from "./backends.ts";
import { CONVERTED_GROUPS, buildObjectReads, judgeConversion, selectConvertedKinds } from "./conversion-objects.ts";
import { keepConversionWebhook, keepAdmissionWebhooks, type Webhook } from "./webhooks.ts";
import { type JudgedWebhook, isRisk, buildNotices } from "./notices.ts";
import { type Namespace, judgeReach, selectWrittenKinds } from "./reach.ts";
import { risks } from "./risks.ts";
import { parseLabels } from "../../model/label-selector.ts";

type WebhookReads = ReturnType<typeof buildReads>;

function buildReads() {
  return {
    validating: each("admissionregistration.k8s.io/v1/validatingwebhookconfigurations", keepAdmissionWebhooks),
    mutating: each("admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", keepAdmissionWebhooks),
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
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  platforms: ["openshift", "kubernetes"],
  reads: buildReads,
  special: { followedKinds: { groups: CONVERTED_GROUPS, select: selectConvertedKinds } },
  follow({ conversions, services, slices, namespaces }, { now, release }) {
    const backends = buildBackends(services, slices, namespaces);
    const isDown = ({ client }: Webhook): boolean => getBackendState(client, backends, now).kind === "down";
    return buildObjectReads(valuesOf(conversions).filter(isDown), release);
  },
  evaluate({ validating, mutating, conversions, namespaces, services, slices }, { now, release }, followed): Judgement {
    if ([validating, mutating, conversions].every(({ kind }) => kind === "absent"))
      return { notApplicable: "The API server serves neither webhook configurations nor CustomResourceDefinitions." };
    const unknowns = [
      ...buildNotServedUnknowns("services", services),
      ...buildNotServedUnknowns("endpointslices.discovery.k8s.io", slices),
    ];
    if (unknowns.length > 0) return { unknowns };
    const backends = buildBackends(services, slices, namespaces);
    const getState = ({ client }: Webhook): BackendState => getBackendState(client, backends, now);
    const admission = judgeAdmission({ validating, mutating, namespaces }, getState, release);
    const conversion = valuesOf(conversions).map((webhook): JudgedWebhook => {
      const state = getState(webhook);
      const objects = findOwn(followed, webhook.object.name);
      return { webhook, state, reach: state.kind === "down" ? judgeConversion(objects) : "writes" };
    });
    const judged = [...admission, ...conversion];
    return {
      findings: judged.filter(isRisk).flatMap(buildFindings),
      notices: buildNotices(judged.filter(({ reach }) => reach !== "nothing" || !isHeldInPart(namespaces))),
      unknowns: admission.some(isUndecided) ? (release.unknownFacts ?? []) : [],
    };
  },
});

/** Without the facts that decide which kinds the target brings, a webhook is only known to be called for the kinds of every release. */
function judgeAdmission(
  { validating, mutating, namespaces }: Pick<ReadResults<WebhookReads>, "validating" | "mutating" | "namespaces">,
  getState: (webhook: Webhook) => BackendState,
  release: Release,
): readonly JudgedWebhook[] {
  const writtenKinds = selectWrittenKinds(release);
  return [...valuesOf(validating), ...valuesOf(mutating)].flat().map((webhook) => {
    const reach = judgeReach(webhook, valuesOf(namespaces), writtenKinds);
    const isCertain = release.unknownFacts === undefined || reach === "pods" || reach === "writes";
    return { webhook, state: getState(webhook), reach: isCertain ? reach : "unknown" };
  });
}

function isUndecided({ state, reach }: JudgedWebhook): boolean {
  return state.kind === "down" && reach === "unknown";
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
    object.kind === "CustomResourceDefinition"
      ? risks.ConversionWebhookWithoutBackend
      : risks.FailClosedWebhookWithoutBackend;
  const detail = { service: state.service, lacks: state.lacks };
  return [{ risk: risk.name, object, path, message: `No backend can answer: ${state.why}.`, detail }];
}
