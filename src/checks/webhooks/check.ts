import { findOwn } from "../../model/optional.ts";
import { type Unknown, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type { ReadFailure } from "../../model/reader.ts";
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
import type { Release } from "../../model/release.ts";
import {
  type BackendState,
  buildBackends,
  keepService,
  keepEndpointSlice,
  getBackendState,
  LAST_CHANGE,
} from "./backends.ts";
import { keepConversionWebhook, keepAdmissionWebhooks, type Webhook } from "./webhooks.ts";
import { type JudgedWebhook, isRisk, buildNotices } from "./notices.ts";
import { type Namespace, type Reach, judgeReach, selectWrittenKinds } from "./reach.ts";
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

function buildObjectReads(
  { conversions, services, slices, namespaces }: ReadResults<WebhookReads>,
  now: Date,
): ObjectReads {
  const backends = buildBackends(services, slices, namespaces);
  const down = valuesOf(conversions).filter(({ client }) => getBackendState(client, backends, now).kind === "down");
  return Object.fromEntries(
    down.map(({ object, resource }) => {
      const read = eachMetadata(resource, (): true => true);
      return [object.name, { ...read, keepFailure: keepFailedConversion }] as const;
    }),
  );
}

/** An object that is stored in another version is read through the webhook, so the API server can't list its kind. */
function keepFailedConversion({ reason, message }: ReadFailure): true | undefined {
  // Source: webhook_converter.go, k8s.io/apiextensions-apiserver.
  return reason === "ServerError" && message.includes("conversion webhook for ") ? true : undefined;
}

/** A kind that could not be listed may have objects, or none: the runner reports that. */
function judgeConversion(list: ListResult<true> | undefined): Reach {
  if (list === undefined) return "unknown";
  return list.kind === "found" && list.values.length === 0 ? "empty" : "writes";
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
