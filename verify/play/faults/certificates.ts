import { textAt } from "../../../src/model/json.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fate, PlantedFault, PlayedWorld } from "../fault.ts";
import { ANSWER, createBackendAuthority, encode, expose, serve } from "./backend.ts";
import { createNamespace, getName, list, must, repeat } from "./objects.ts";

const NAMESPACE = "openshift-play-certificates";
const SECRETS = `/api/v1/namespaces/${NAMESPACE}/secrets`;
const WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const DAY_MS = 24 * 60 * 60_000;
const ANNOTATION = "auth.openshift.io/certificate";

/** In days from now. */
const PERIODS = [
  { name: "expired", from: -30, to: -1 },
  { name: "valid", from: -1, to: 29 },
] as const;

/** Certificates in the platform's Secrets: after the update the API server calls a server that has each. */
export const expiredCertificates: PlantedFault = {
  check: "certificates-expiring",
  name: "serving certificates that have expired",
  risks: ["PlatformCertificatesExpired"],
  isOnRequest: true,
  applies: () => true,
  async plant(world) {
    await createNamespace(world, NAMESPACE);
    const authority = createBackendAuthority(world.cluster, NAMESPACE);
    for (const [i, { name: period, from, to }] of repeat(world.random, PERIODS).entries()) {
      const name = `${period}-${i}`;
      const { cert, key } = authority.issue(name, `DNS:${name}.${NAMESPACE}.svc`, to);
      const annotations = { [`${ANNOTATION}-not-before`]: formatDay(from), [`${ANNOTATION}-not-after`]: formatDay(to) };
      const data = { "tls.crt": encode(cert), "tls.key": encode(key), "ca.crt": encode(authority.ca.cert) };
      await must(world, "POST", SECRETS, { apiVersion: "v1", kind: "Secret", metadata: { name, annotations }, data });
    }
  },
  async observe(world) {
    const names = (await list(world, SECRETS)).map(getName);
    return (await Promise.all(names.map((name) => observe(world, name)))).flat();
  },
};

function formatDay(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

async function observe(world: PlayedWorld, name: string): Promise<readonly Fate[]> {
  const secret = await must(world, "GET", `${SECRETS}/${name}`);
  const [cert, key] = ["tls.crt", "tls.key"].map((part) =>
    Buffer.from(textAt(secret, "data", part) ?? "", "base64").toString(),
  );
  const port = await serve({ cert: cert ?? "", key: key ?? "" });
  await expose(world, { namespace: NAMESPACE, name, port, presence: "ready" });
  await createNamespace(world, `play-certificates-${name}`);
  await must(world, "POST", WEBHOOKS, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: `play-certificates-${name}` },
    webhooks: [
      {
        name: `${name}.certificates.play.example.com`,
        clientConfig: {
          service: { namespace: NAMESPACE, name, port },
          caBundle: textAt(secret, "data", "ca.crt") ?? "",
        },
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": `play-certificates-${name}` } },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
  const isExpired = await failsAsExpired(world, `/api/v1/namespaces/play-certificates-${name}/configmaps?dryRun=All`);
  return isExpired
    ? [{ risk: "PlatformCertificatesExpired", object: `Secret ${NAMESPACE}/${name}`, effect: "refused" }]
    : [];
}

const MAX_ATTEMPTS = 100;
const PAUSE_MS = 100;

/** A new webhook is called after a moment. */
async function failsAsExpired({ api }: PlayedWorld, path: string): Promise<boolean> {
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "any" } };
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    const answer = await api.attempt("POST", path, body);
    if (answer.warnings.includes(ANSWER)) return false;
    if (/certificate has expired/.test(textAt(answer.body, "message") ?? "")) return true;
    await sleep(PAUSE_MS);
  }
  throw new Error(`${path}: no webhook is called`);
}
