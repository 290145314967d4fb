import { judgeDefinition } from "../../src/schema/crd/index.ts";
import { type JsonObject, at, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { AdminResponse } from "../api-server/admin-api.ts";
import { disagreement } from "../schema/definition/compare.ts";
import { eventually } from "../shared/eventually.ts";
import type { Api, HandlerApi } from "./handler-api.ts";
import type { Round } from "./round.ts";
import { type Answer, askServer, askToday } from "./server-answers.ts";
import { type StoredObject, storeObjects } from "./server-objects.ts";
import { type Subject, buildSubject } from "./subject.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const SENTINEL = "sentinels.differential.example.com";

/** Where rounds are played, and the conversion webhook that it can call; without one, for rounds that have none. */
export type RoundServer = {
  readonly api: Api;
  /** Of Kubernetes. */
  readonly minor: number;
  readonly webhook?: HandlerApi["webhook"] | undefined;
};

/** A definition on which the server and we differ. */
export type DefinitionDifference = { readonly round: Round; readonly text: string };
/** `definitions`: how many definitions were sent, new ones and in place of others. */
export type RoundAnswers = {
  readonly answers: readonly Answer[];
  readonly definitions: number;
  readonly differences: readonly DefinitionDifference[];
};

/**
 * Plays rounds on one server: their CRDs are created, their objects stored, the CRDs replaced, and every object is read and written in
 * every way, through every version. A round ends where the server refuses its CRD.
 */
export async function askServerRounds(server: RoundServer, rounds: readonly Round[]): Promise<RoundAnswers> {
  const { api, minor } = server;
  const differences: DefinitionDifference[] = [];
  let definitions = 0;
  const accept = async <T extends { readonly round: Round }>(
    all: readonly T[],
    crdOf: (round: Round) => JsonObject,
  ) => {
    definitions += all.length;
    const accepted = await keepAccepted(all, (one) => send(server, one.round, crdOf(one.round), differences));
    await waitForServing(api, definitions);
    return accepted;
  };
  const created = await accept(
    rounds.map((round) => ({ round })),
    ({ older, before }) => older ?? before,
  );
  const subjects = created.flatMap(({ round }) => buildSubject(round, minor) ?? []);
  const old = await storeUnder(api, subjects, ({ older }) => older);
  const hasOlder = ({ round }: Subject): boolean => round.older !== undefined;
  const moved = await accept(subjects.filter(hasOlder), ({ before }) => before);
  const installed = [...subjects.filter((one) => !hasOlder(one)), ...moved];
  const young = await storeUnder(api, installed, ({ before }) => before);
  const known = await forEach(installed, async (subject) => {
    const all = [...(old.get(subject) ?? []), ...(young.get(subject) ?? [])];
    return { round: subject.round, subject, all: await askToday(api, subject, all) };
  });
  const replaced = await accept(known, ({ after }) => after);
  const answers = await forEach(replaced, ({ subject, all }) => askServer(api, subject, all));
  return { answers: answers.flat(), definitions, differences };
}

async function storeUnder(
  api: Api,
  subjects: readonly Subject[],
  crdOf: (round: Round) => JsonObject | undefined,
): Promise<ReadonlyMap<Subject, readonly StoredObject[]>> {
  const stored = await forEach(subjects, async (subject) => {
    const crd = crdOf(subject.round);
    return [subject, crd ? await storeObjects(api, subject, crd) : []] as const;
  });
  return new Map(stored);
}

/** Creates a CRD or replaces the one that is there, and returns whether the server takes it. */
async function send(
  { api, minor, webhook }: RoundServer,
  round: Round,
  crd: JsonObject,
  differences: DefinitionDifference[],
): Promise<boolean> {
  const path = `${CRDS}/${nameOf(round)}`;
  const definition = fillWebhook(crd, webhook);
  const { code, body: installed } = await api.call("GET", path);
  const isNew = code !== 200;
  const resourceVersion = at(installed, "metadata", "resourceVersion") ?? "";
  const metadata = { ...objectAt(definition, "metadata"), ...(isNew ? {} : { resourceVersion }) };
  const answer = await api.call(isNew ? "POST" : "PUT", isNew ? CRDS : path, { ...definition, metadata });
  return note(round, judgeDefinition(definition, isNew ? undefined : installed, minor), answer, differences);
}

/** With the webhook that listens now in place of the one that a round names: the path says what it does. */
function fillWebhook(crd: JsonObject, listening: RoundServer["webhook"]): JsonObject {
  const named = textAt(crd, "spec", "conversion", "webhook", "clientConfig", "url");
  if (named === undefined || listening === undefined) return crd;
  const { url, caBundle } = listening;
  const clientConfig = { url: `${url}${new URL(named).pathname}`, caBundle };
  const conversion = objectAt(crd, "spec", "conversion");
  const webhook = { ...objectAt(conversion, "webhook"), clientConfig };
  return { ...crd, spec: { ...objectAt(crd, "spec"), conversion: { ...conversion, webhook } } };
}

function nameOf({ before }: Round): string {
  return textAt(before, "metadata", "name") ?? "";
}

/** One after the other, since each sends many requests at once. */
async function forEach<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const one of all) results.push(await act(one));
  return results;
}

async function keepAccepted<T>(all: readonly T[], isAccepted: (one: T) => Promise<boolean>): Promise<readonly T[]> {
  const accepted = await forEach(all, isAccepted);
  return all.filter((_, i) => accepted[i]);
}

/** Compares the answer with our verdict, and returns whether the server took the definition. */
function note(
  round: Round,
  verdict: ReturnType<typeof judgeDefinition>,
  { code, body }: AdminResponse,
  differences: DefinitionDifference[],
): boolean {
  const error = listAt(body, "details", "causes").map((cause) => `${textAt(cause, "field") ?? ""}: Invalid value`);
  const text = disagreement(verdict, { valid: code < 300, error: error.join(", ") });
  if (text !== undefined) differences.push({ round, text: `${text}\n${textAt(body, "message") ?? ""}` });
  return code < 300;
}

/** A server handles CRDs in the order in which they were written, so that those before the last one are served when it is. */
async function waitForServing(api: Api, generation: number): Promise<void> {
  const path = `${CRDS}/${SENTINEL}`;
  const { code, body } = await api.call("GET", path);
  const crd = buildSentinel(generation, textAt(body, "metadata", "resourceVersion"));
  await (code === 200 ? api.call("PUT", path, crd) : api.call("POST", CRDS, crd));
  const probe = {
    apiVersion: "differential.example.com/v1",
    kind: "Sentinel",
    metadata: { name: "probe" },
    spec: { generation },
  };
  await eventually(async () => {
    const answer = await api.call("POST", "/apis/differential.example.com/v1/sentinels?dryRun=All", probe);
    if (answer.code >= 300) throw new Error(`the sentinel is not served: ${textAt(answer.body, "message")}`);
  });
}

function buildSentinel(generation: number, resourceVersion = ""): JsonObject {
  const spec = { type: "object", properties: { generation: { type: "integer", enum: [generation] } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: SENTINEL, resourceVersion },
    spec: {
      group: "differential.example.com",
      scope: "Cluster",
      names: { kind: "Sentinel", plural: "sentinels", singular: "sentinel", listKind: "SentinelList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        },
      ],
    },
  };
}
