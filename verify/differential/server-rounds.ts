import { judgeDefinition } from "../../src/schema/crd/index.ts";
import { type JsonObject, at, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { AdminApi, AdminResponse } from "../api-server/admin-api.ts";
import { eventually } from "../shared/eventually.ts";
import { disagreement } from "../schema/definition/compare.ts";
import { type Answer, askServer, storeObjects } from "./server-answers.ts";
import type { Round } from "./round.ts";
import { buildSubject } from "./subject.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const SENTINEL = "sentinels.differential.example.com";

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
 * every way. A round ends where the server refuses its CRD.
 */
export async function askServerRounds(api: AdminApi, rounds: readonly Round[], minor: number): Promise<RoundAnswers> {
  const differences: DefinitionDifference[] = [];
  const created = await keepAccepted(rounds, async (round) => {
    const answer = await api.call("POST", CRDS, round.before);
    return note(round, round.before, undefined, answer, differences);
  });
  await waitForServing(api, created.length);
  const subjects = created.flatMap((round) => buildSubject(round, minor, "server") ?? []);
  const stored = await forEach(subjects, async (subject) => ({ subject, all: await storeObjects(api, subject) }));
  const replaced = await keepAccepted(stored, async ({ subject: { round } }) => {
    const { body: installed } = await api.call("GET", `${CRDS}/${nameOf(round)}`);
    const metadata = {
      ...objectAt(round.after, "metadata"),
      resourceVersion: at(installed, "metadata", "resourceVersion") ?? "",
    };
    const answer = await api.call("PUT", `${CRDS}/${nameOf(round)}`, { ...round.after, metadata });
    return note(round, round.after, installed, answer, differences);
  });
  await waitForServing(api, created.length + 1);
  const answers = await forEach(replaced, ({ subject, all }) => askServer(api, subject, all));
  return { answers: answers.flat(), definitions: rounds.length + stored.length, differences };
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

async function keepAccepted<T>(all: readonly T[], send: (one: T) => Promise<boolean>): Promise<readonly T[]> {
  const accepted = await forEach(all, send);
  return all.filter((_, i) => accepted[i]);
}

/** Compares the answer with our verdict, and returns whether the server took the definition. */
function note(
  round: Round,
  definition: JsonObject,
  installed: JsonObject | undefined,
  { code, body }: AdminResponse,
  differences: DefinitionDifference[],
): boolean {
  const error = listAt(body, "details", "causes").map((cause) => `${textAt(cause, "field") ?? ""}: Invalid value`);
  const text = disagreement(judgeDefinition(definition, installed), { valid: code < 300, error: error.join(", ") });
  if (text !== undefined) differences.push({ round, text: `${text}\n${textAt(body, "message") ?? ""}` });
  return code < 300;
}

/** A server handles CRDs in the order in which they were written, so that those before the last one are served when it is. */
async function waitForServing(api: AdminApi, generation: number): Promise<void> {
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
