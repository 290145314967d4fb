import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { type JsonObject, objectAt, numberAt, parseObject, textAt } from "../../src/model/json.ts";
import { RUNNER_NAME } from "../../src/controller/api/api-paths.ts";

/** Whose requests are counted. */
export const ACCOUNTS = ["controller", "runner", "commands", "operator", "others"] as const;
export type Account = (typeof ACCOUNTS)[number];

/** An answered request. */
export type AuditRecord = {
  /** When it came. What it wrote may have been seen from then on. */
  readonly receivedAt: number;
  /** When it was answered: with a slow etcd, long after what it wrote was seen. */
  readonly at: number;
  readonly account: Account;
  readonly verb: string;
  /** The object's API path, without a subresource. */
  readonly path: string;
  readonly isLease: boolean;
  readonly isOk: boolean;
  readonly request: JsonObject;
  readonly response: JsonObject;
};

/** The answered requests of an audit log of the level RequestResponse, in its order. */
export async function* readAuditLog(file: string): AsyncGenerator<AuditRecord> {
  for await (const line of createInterface({ input: createReadStream(file, "utf8"), crlfDelay: Infinity })) {
    const event = line.includes('"stage":"ResponseComplete"') ? parseObject(line) : undefined;
    if (event) yield parseRecord(event);
  }
}

function parseRecord(event: JsonObject): AuditRecord {
  const code = numberAt(event, "responseStatus", "code") ?? 0;
  const response = objectAt(event, "responseObject");
  return {
    receivedAt: new Date(textAt(event, "requestReceivedTimestamp") ?? 0).getTime(),
    at: new Date(textAt(event, "stageTimestamp") ?? 0).getTime(),
    account: findAccount(event),
    verb: textAt(event, "verb") ?? "",
    path: getObjectPath(event, response),
    isLease: textAt(event, "objectRef", "resource") === "leases",
    isOk: code >= 200 && code < 300,
    request: objectAt(event, "requestObject"),
    response,
  };
}

function findAccount(event: JsonObject): Account {
  const user = textAt(event, "user", "username") ?? "";
  const agent = textAt(event, "userAgent") ?? "";
  if (user.endsWith(":preflight-controller")) return agent === "waiting" ? "others" : "controller";
  if (user.endsWith(`:${RUNNER_NAME}`)) return "runner";
  if (agent === "operator") return "operator";
  return agent.startsWith("target-release-preflight") ? "commands" : "others";
}

function getObjectPath(event: JsonObject, response: JsonObject): string {
  const reference = objectAt(event, "objectRef");
  const name = textAt(reference, "name") ?? textAt(response, "metadata", "name");
  return [textAt(reference, "resource"), textAt(reference, "namespace"), name].filter(Boolean).join("/");
}

export function isWrite({ verb }: AuditRecord): boolean {
  return ["create", "update", "patch", "delete", "deletecollection"].includes(verb);
}
