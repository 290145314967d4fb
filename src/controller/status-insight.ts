import { dump } from "js-yaml";
import { insightOf } from "../insight/insight.ts";
import { type JsonObject, textAt } from "../model/json.ts";
import type { Api } from "./api.ts";
import { follow, type Followed, type Seen } from "./informer.ts";
import type { Say } from "./say.ts";
import { worker } from "./worker.ts";

export const INSIGHT_NAMESPACE = "openshift-update-status-controller";
export const INSIGHT_CONFIG_MAP = "status-api-cm-prototype";
export const INSIGHT_KEY = "usc-cv-version";

const CONFIG_MAPS = `/api/v1/namespaces/${INSIGHT_NAMESPACE}/configmaps`;
const CONFIG_MAP: Followed = { collection: CONFIG_MAPS, name: INSIGHT_CONFIG_MAP };
const CLUSTER_VERSION: Followed = { collection: "/apis/config.openshift.io/v1/clusterversions", name: "version" };
const WHERE = `ConfigMap ${INSIGHT_NAMESPACE}/${INSIGHT_CONFIG_MAP}`;
const TRY_AGAIN_MS = 10_000;

export type StatusTools = {
  readonly api: Api;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly say: Say;
};

/**
 * Keeps the status insight about ClusterVersion in a ConfigMap, where somebody made that ConfigMap, until the signal aborts. It is
 * written when it changes and at no other time; whatever else the ConfigMap holds is left alone.
 */
export async function runStatusController({ api, sleep, say }: StatusTools, signal: AbortSignal): Promise<void> {
  const known: Known = {};
  const { wake, run } = worker((stop) => sync(known, api, say, stop));
  const seeing = (key: "clusterVersion" | "configMap") => (seen: Seen) => {
    known[key] = seen;
    wake();
  };
  const onTrouble = (message: string): void =>
    say.warn("the API server can't be followed, trying again", { why: message });
  const tools = { api, sleep, onTrouble };
  await Promise.all([
    follow(CLUSTER_VERSION, seeing("clusterVersion"), tools, signal),
    follow(CONFIG_MAP, seeing("configMap"), tools, signal),
    run(signal),
  ]);
}

/** `told`: what was said last, so that it is said once. */
type Known = { clusterVersion?: Seen; configMap?: Seen; told?: string };

async function sync(known: Known, api: Api, say: Say, signal: AbortSignal): Promise<number | undefined> {
  const { clusterVersion, configMap } = known;
  if (clusterVersion === undefined || configMap === undefined) return undefined;
  if (configMap.kind === "absent") return tellOnce(known, say, `${WHERE} does not exist, so there is nothing to do`);
  if (clusterVersion.kind === "absent")
    return tellOnce(known, say, "there is no ClusterVersion version, so there is nothing to tell");
  known.told = "";
  const [text, before] = [yamlOf(clusterVersion.object), textAt(configMap.object, "data", INSIGHT_KEY)];
  if (text === before) return undefined;
  const body = { data: { [INSIGHT_KEY]: text } };
  const path = `${CONFIG_MAPS}/${INSIGHT_CONFIG_MAP}`;
  const answer = await api.write({ method: "PATCH", path, body, type: "application/merge-patch+json" }, signal);
  if (answer.kind === "ok") {
    say.info("wrote the status insight", {
      configMap: WHERE,
      key: INSIGHT_KEY,
      changed: changedLines(before ?? "", text),
    });
    if (known.configMap === configMap) known.configMap = { kind: "is", object: answer.object };
    return undefined;
  }
  // It went in the meantime: the watch says so.
  if (answer.kind === "absent" || signal.aborted) return undefined;
  say.error("the status insight could not be written, trying again", { why: answer.message });
  return TRY_AGAIN_MS;
}

function tellOnce(known: Known, say: Say, message: string): undefined {
  if (known.told !== message) say.info(message);
  known.told = message;
  return undefined;
}

function yamlOf(clusterVersion: JsonObject): string {
  return dump(insightOf(clusterVersion), { noRefs: true, lineWidth: -1 });
}

/** The lines that one text has and the other hasn't, as a diff marks them. */
function changedLines(before: string, after: string): readonly string[] {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  return [
    ...old.filter((line) => line !== "" && !fresh.includes(line)).map((line) => `- ${line.trim()}`),
    ...fresh.filter((line) => line !== "" && !old.includes(line)).map((line) => `+ ${line.trim()}`),
  ];
}
