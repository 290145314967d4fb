import { textAt } from "../../../src/model/json.ts";
import type { AdminResponse } from "../../api-server/admin-api.ts";
import type { Fate, PlantedFault, PlayedWorld } from "../fault.ts";
import { type Backend, CLOSED_PORT, expose, type Presence, startBackend } from "./backend.ts";
import { createNamespace, isAccepted, listNamespaces, must } from "./objects.ts";
import { buildOperands, buildOperatorRequests, buildPodRequests, POD, type Request, send } from "./update-requests.ts";
import { buildHooks, type Hook } from "./webhook-kinds.ts";

const PREFIX = "play-webhooks-";
const PLATFORM_PREFIX = `openshift-${PREFIX}`;
const SERVICES = `${PREFIX}services`;
const CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1";

/** Webhooks with and without a backend: after the update, the requests of an update are tried again. */
export const failingWebhooks: PlantedFault = {
  check: "webhooks",
  name: "webhooks without a backend",
  risks: ["FailClosedWebhookWithoutBackend"],
  applies: () => true,
  async plant(world) {
    await createNamespace(world, SERVICES);
    const backend = await startBackend(world, SERVICES);
    const hooks = buildHooks(world.random);
    await Promise.all(hooks.map((hook, i) => plantHook(world, hook, `${i}`, backend)));
  },
  async observe(world) {
    const fates: Fate[] = [];
    for (const namespace of await listNamespaces(world, PREFIX))
      if (namespace !== SERVICES) fates.push(...(await findRefused(world, buildPodRequests(namespace))));
    for (const namespace of await listNamespaces(world, PLATFORM_PREFIX)) {
      const requests = [...buildPodRequests(namespace), ...buildOperatorRequests(namespace)];
      fates.push(...(await findRefused(world, requests)));
    }
    return fates;
  },
};

/** The webhooks that the API server names when it refuses a request. */
async function findRefused(world: PlayedWorld, requests: readonly Request[]): Promise<readonly Fate[]> {
  const fates = new Map<string, Fate>();
  for (const request of requests) {
    const answer = await send(world, request);
    const message = textAt(answer.body, "message") ?? "";
    const webhook = /failed calling webhook "([^"]+)"/.exec(message)?.[1];
    if (webhook !== undefined) fates.set(webhook, buildFate(webhook));
    else if (!isAccepted(answer) && !isTaken(answer))
      throw new Error(`${request.method} ${request.path}: ${answer.code} ${message}`);
  }
  return [...fates.values()];
}

/** Webhooks are called before the API server finds that a name is taken. */
function isTaken({ code }: AdminResponse): boolean {
  return code === 409;
}

/** Each has a namespace of its own, of users or of the platform, so that one doesn't hide another. */
async function plantHook(world: PlayedWorld, hook: Hook, id: string, backend: Backend): Promise<void> {
  const namespace = `${hook.isPlatform ? PLATFORM_PREFIX : PREFIX}${id}`;
  await createNamespace(world, namespace);
  await must(world, "POST", `/api/v1/namespaces/${namespace}/pods`, POD);
  if (hook.isPlatform) for (const { path, body } of buildOperands(namespace)) await must(world, "POST", path, body);
  const name = `backend-${id}`;
  const presence = toPresence(hook.backend);
  const port = presence === "ready" ? backend.port : CLOSED_PORT;
  if (presence !== undefined) await expose(world, { namespace: SERVICES, name, port, presence });
  const service = {
    namespace: hook.backend === "no namespace" ? `${PREFIX}gone` : SERVICES,
    name,
    port: hook.backend === "ready" ? backend.port : CLOSED_PORT,
  };
  const kind = hook.isMutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
  const own = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } } };
  const webhook = {
    name: `${id}.${kind.toLowerCase()}.play.example.com`,
    clientConfig: { service, caBundle: backend.caBundle },
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    // A backend that is there answers, however busy the machine; one that isn't refuses at once.
    timeoutSeconds: 30,
    ...own,
    ...hook.fields,
  };
  await must(world, "POST", `${CONFIGURATIONS}/${kind.toLowerCase()}s`, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: `play-${id}` },
    webhooks: [webhook],
  });
}

function toPresence(backend: Hook["backend"]): Presence | undefined {
  if (backend === "no namespace" || backend === "no service") return undefined;
  return backend === "no port" ? "ready" : backend;
}

function buildFate(webhook: string): Fate {
  const [id = "", kind = ""] = webhook.split(".");
  const name =
    kind === "mutatingwebhookconfiguration" ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
  return { risk: "FailClosedWebhookWithoutBackend", object: `${name} play-${id}`, effect: "refused" };
}
