import { type Context, type Finding, type Unknown, type Judgement, defineCheck } from "../../model/check.ts";
import type { Platform } from "../../model/version.ts";
import { buildPatchCommand, buildObjectCommand, buildPrefix, quoteArgument } from "../../model/commands.ts";
import { type ObjectRef, formatRef } from "../../model/resource.ts";
import { nameOnly } from "../shared/only-detail.ts";
import { readRisks } from "../shared/risks.ts";
import { type JsonObject, findOwn, textAt, compareText } from "../../model/json.ts";
import type { ListResult, ReadResults } from "../../model/read.ts";
import { each, valuesOf, soundInPart, withAnnotations, withManagedFields } from "../../model/read.ts";
import type { Release } from "../../model/release.ts";
import type { BackendState } from "./backends.ts";
import { buildBackends, keepService, keepEndpointSlice, getBackendState, LAST_CHANGE } from "./backends.ts";
import {
  type Webhook,
  CONVERTED_GROUPS,
  buildObjectReads,
  judgeConversion,
  selectConvertedKinds,
  keepConversionWebhook,
  keepAdmissionWebhooks,
} from "./webhooks.ts";
import { type Namespace, type Reach, judgeReach, selectWrittenKinds } from "./reach.ts";
import { parseLabels } from "../../model/object.ts";
import { buildNamesNotice } from "../shared/judgements.ts";

/** That of the Service, since the configuration that names it has none. */
const place = nameOnly(({ detail }) => detail?.["service"]?.split("/")[0], "NAMESPACE");

export const risks = readRisks("webhooks", {
  FailClosedWebhookWithoutBackend: {
    remediation: { place },
    see: buildBackendCommands,
    fixKind: ({ detail }) => (detail?.["lacks"] === "namespace" ? "weakening" : "safe"),
    fix: buildFixes,
  },
  ConversionWebhookWithoutBackend: { remediation: { place }, see: buildBackendCommands },
});

/** What is behind the Service, and the configuration that names it. */
function buildBackendCommands({ object, detail }: Finding, { platform }: Context): readonly string[] {
  const [namespace, service = ""] = (detail?.["service"] ?? "").split("/");
  const prefix = buildPrefix(platform, namespace);
  return [
    `${prefix} get endpointslices -l ${quoteArgument(`kubernetes.io/service-name=${service}`)}`,
    `${prefix} get deployments,pods -o wide`,
    buildObjectCommand(platform, "get", object),
  ];
}

/** A product that may still be installed gets its backend back: to ignore its webhook would let through what it guards against. */
function buildFixes({ object, path = "", detail }: Finding, { platform }: Context): readonly string[] {
  const [namespace, service = ""] = (detail?.["service"] ?? "").split("/");
  const prefix = buildPrefix(platform, namespace);
  switch (detail?.["lacks"] ?? "") {
    case "namespace":
      return buildIgnore(object, path, platform);
    case "service":
      return [
        `${prefix} expose deployment/<deployment> --name=${quoteArgument(service)} --port=${detail?.["port"] ?? "<port>"} --target-port=<container-port>`,
      ];
    case "port":
      return [`${prefix} edit service/${quoteArgument(service)}`];
    case "pods":
      return [`${prefix} scale deployment/<deployment> --replicas=<replicas>`];
    default:
      return [];
  }
}

/** The last resort, where nothing is left that could answer. */
function buildIgnore(object: ObjectRef, path: string, platform: Platform): readonly string[] {
  const index = /^webhooks\[(\d+)\]$/.exec(path)?.[1];
  if (index === undefined) return [];
  const operation = { op: "add", path: `/webhooks/${index}/failurePolicy`, value: "Ignore" };
  return [buildPatchCommand(platform, object, [operation])];
}

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

function buildFindings({ webhook: { object, path, client }, state }: JudgedWebhook): readonly Finding[] {
  if (state.kind !== "down") return [];
  const risk =
    object.kind === "CustomResourceDefinition"
      ? risks.ConversionWebhookWithoutBackend
      : risks.FailClosedWebhookWithoutBackend;
  const { service, lacks } = state;
  const port = lacks === "service" && client.kind === "service" ? client.port : undefined;
  const detail = { service, lacks, ...(port === undefined ? {} : { port: String(port) }) };
  return [{ risk: risk.name, object, path, message: `No backend can answer: ${state.why}.`, detail }];
}

/** A webhook, whether its backend can answer, and which requests of an update call it; a conversion counts as `writes`. */
export type JudgedWebhook = { readonly webhook: Webhook; readonly state: BackendState; readonly reach: Reach };

/** Is it a risk rather than a notice? */
export function isRisk({ state, reach }: JudgedWebhook): boolean {
  return state.kind === "down" && (reach === "pods" || reach === "writes");
}

export function buildNotices(judgedWebhooks: readonly JudgedWebhook[]): readonly string[] {
  const down = judgedWebhooks.filter(({ state }) => state.kind === "down");
  const affecting = judgedWebhooks.filter(({ reach }) => reach === "pods" || reach === "writes");
  return [
    ...buildNotice(
      down.filter(({ reach }) => reach === "nothing"),
      (names) =>
        `No backend answers for ${names}, so the API server refuses requests that need an answer. An update makes no such request.`,
    ),
    ...buildNotice(
      down.filter(({ reach }) => reach === "deletes"),
      (names) =>
        `No backend answers for ${names}, so the API server refuses deletions that need an answer. Controllers delete such objects during an update, old revisions for example: these stay until a backend answers.`,
    ),
    ...buildNotice(
      down.filter(({ reach }) => reach === "labelled"),
      (names) =>
        `No backend answers for ${names}, so objects that the objectSelector matches can't be written. The check doesn't examine whether such objects exist.`,
    ),
    ...buildNotice(
      down.filter(({ reach }) => reach === "empty"),
      (names) =>
        `No backend answers for ${names}, but no object of the kind exists. If its product was removed, delete the definition (kubectl delete customresourcedefinition NAME): as soon as somebody creates an object, it can't be read in every version.`,
    ),
    ...buildNotice(
      down.filter(({ reach }) => reach === "unknown"),
      (names) =>
        `No backend answers for ${names}. Whether the update needs an answer is unknown, because what decides that could not be read.`,
    ),
    ...buildNotice(
      affecting.filter(({ state }) => state.kind === "restarting"),
      (names) => `No backend answers for ${names} at the moment. If this lasts, the update gets stuck on it.`,
    ),
    ...buildNotice(
      affecting.filter(({ state }) => state.kind === "outside"),
      (names) => `The check can't tell whether a backend answers for ${names}, because it is outside the cluster.`,
    ),
    ...buildNotice(
      judgedWebhooks.filter(({ state, reach }) => state.kind === "single" && reach === "pods"),
      (names) =>
        `Only one pod answers for ${names}. While it moves off a drained node, pods that need its answer can't be created; if it needs its own answer, it doesn't come back.`,
    ),
  ];
}

function buildNotice(judgedWebhooks: readonly JudgedWebhook[], text: (names: string) => string): readonly string[] {
  const names = judgedWebhooks
    .map(({ webhook: { object, path } }) => `${formatRef(object)} (${path})`)
    .toSorted(compareText);
  return buildNamesNotice(names, text);
}
