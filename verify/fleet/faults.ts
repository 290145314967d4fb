import type { ServerResponse } from "node:http";
import type { JsonObject } from "../../src/model/json.ts";
import { sendJson, sendStatus } from "../api-server/api-responses.ts";
import { answerFromRecording, getClusterVersion, type ClusterRecording } from "./recorded-cluster.ts";

const CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
const MIB = 2 ** 20;

type Respond = (path: string, response: ServerResponse, recording: ClusterRecording) => void;

/** The ways in which the API server of a cluster fails. */
export const SERVER_FAULTS: Readonly<Record<string, Respond>> = {
  "wrong-password": (_, response) => sendStatus(response, 401),
  hanging: () => {},
  forbidden: (_, response) => sendStatus(response, 403),
  "server-error": (_, response) => sendStatus(response, 500),
  throttled: (_, response) => sendStatus(response, 429, { "retry-after": "1" }),
  "truncated-json": (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"kind":"ClusterVersion","metadata":{"na');
  },
  "login-page": (_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Log in</title>");
  },
  "not-kubernetes": (_, response) => {
    response.writeHead(404, { "content-type": "text/plain" }).end("Not Found");
  },
  "empty-clusterversion": (path, response, recording) =>
    path === CLUSTER_VERSION
      ? sendJson(response, {
          apiVersion: "config.openshift.io/v1",
          kind: "ClusterVersion",
          metadata: { name: "version" },
        })
      : answerFromRecording(recording, path, response),
  "too-large": (path, response, recording) =>
    path === CLUSTER_VERSION ? sendEndless(response) : answerFromRecording(recording, path, response),
  redirect: (_, response) => {
    response.writeHead(302, { location: "https://login.example.com/" }).end();
  },
  "version-too-old": (path, response, recording) =>
    path === CLUSTER_VERSION
      ? sendJson(response, withVersion(getClusterVersion(recording), "4.5.41"))
      : answerFromRecording(recording, path, response),
  "connection-reset": (_, response) => void response.socket?.destroy(),
};

function withVersion(clusterVersion: JsonObject, version: string): JsonObject {
  const history = [{ state: "Completed", version, startedTime: "2020-01-01T00:00:00Z", image: "", verified: false }];
  return { ...clusterVersion, status: { desired: { version, image: "" }, history } };
}

function sendEndless(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" }).write('{"kind":"ClusterVersion","padding":"');
  const chunk = "x".repeat(MIB);
  const send = (): void => {
    if (response.writable && response.write(chunk)) setImmediate(send);
  };
  response.on("drain", send);
  send();
}
