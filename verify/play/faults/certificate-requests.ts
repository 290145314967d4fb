import { execFileSync } from "node:child_process";
import { type JsonObject, listAt, textAt } from "../../../src/model/json.ts";
import { connectEtcd } from "../../api-server/etcd-store.ts";
import type { Fate, PlantedFault, PlayedWorld } from "../fault.ts";
import { encode } from "./backend.ts";
import { formatMinutesAgo, getName, list, repeat } from "./objects.ts";

const REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const PREFIX = "play-csr-";
const SERVING = "kubernetes.io/kubelet-serving";
const CLIENT = "kubernetes.io/kube-apiserver-client-kubelet";

/** How old a node's requests are, the last first, in minutes; `answer` is that to the last. */
type Waiting = {
  readonly name: string;
  readonly minutes: readonly number[];
  readonly signer: string;
  readonly isJoining: boolean;
  readonly answer?: "Approved" | "Denied";
};

const KINDS: readonly Waiting[] = [
  { name: "waiting", minutes: [5, 20, 35, 50, 65, 80], signer: SERVING, isJoining: false },
  { name: "joining", minutes: [90], signer: CLIENT, isJoining: true },
  { name: "recent", minutes: [5, 20, 35], signer: SERVING, isJoining: false },
  { name: "approved", minutes: [5, 80], signer: SERVING, isJoining: false, answer: "Approved" },
  { name: "denied", minutes: [80], signer: SERVING, isJoining: false, answer: "Denied" },
];

/** Requests of kubelets, older than a server lets anyone make them: after the update they have an answer or still wait. */
export const waitingKubelets: PlantedFault = {
  check: "pending-csrs",
  name: "certificate requests that nobody approves",
  risks: ["KubeletCertificateRequestsPending"],
  applies: () => true,
  async plant(world) {
    for (const [i, kind] of repeat(world.random, KINDS).entries())
      await plantRequests(world, `${kind.name}-${i}`, kind);
  },
  async observe(world) {
    const requests = (await list(world, REQUESTS)).filter((request) => getName(request).startsWith(PREFIX));
    const byNode = Map.groupBy(requests, (request) => textAt(request, "metadata", "labels", "node") ?? "");
    return [...byNode].flatMap(([node, own]) => observeNode(node, own));
  },
};

/** Written into the store: only there a request can be older than it is. */
async function plantRequests({ cluster }: PlayedWorld, id: string, kind: Waiting): Promise<void> {
  const { minutes, signer, isJoining, answer } = kind;
  const node = `play-node-${id}`;
  const requester = isJoining
    ? { username: "system:bootstrap:play", groups: ["system:bootstrappers"] }
    : { username: `system:node:${node}`, groups: ["system:nodes"] };
  const usages = ["digital signature", signer === SERVING ? "server auth" : "client auth"];
  const spec = {
    request: createRequest(cluster.env["ENVTEST_DIR"] ?? "", node),
    signerName: signer,
    usages,
    ...requester,
  };
  const objects = minutes.map((age, i) => {
    const name = `${PREFIX}${id}-${i}`;
    const metadata = { name, uid: name, creationTimestamp: formatMinutesAgo(age), labels: { node } };
    const conditions = answer === undefined || i > 0 ? [] : [{ type: answer, status: "True", reason: "Played" }];
    const object = { apiVersion: "certificates.k8s.io/v1", kind: "CertificateSigningRequest", metadata, spec };
    return [`/registry/certificatesigningrequests/${name}`, { ...object, status: { conditions } }] as const;
  });
  await connectEtcd(cluster).putAll(new Map(objects));
}

function createRequest(folder: string, node: string): string {
  const subject = `/O=system:nodes/CN=system:node:${node}`;
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "/dev/null"];
  return encode(
    execFileSync("openssl", ["req", "-new", ...key, "-subj", subject], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    }),
  );
}

/** A node without any answer for longer than an hour; each still asks. */
function observeNode(node: string, requests: readonly JsonObject[]): readonly Fate[] {
  const isAnswered = requests.some((request) => listAt(request, "status", "conditions").length > 0);
  const since = Math.min(
    ...requests.map((request) => new Date(textAt(request, "metadata", "creationTimestamp") ?? "").getTime()),
  );
  const isWaiting = !isAnswered && Date.now() - since > 60 * 60_000;
  return isWaiting ? [{ risk: "KubeletCertificateRequestsPending", object: `Node ${node}`, effect: "unanswered" }] : [];
}
