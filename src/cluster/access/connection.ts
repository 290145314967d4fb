import type { Agent } from "node:http";

/** What one request needs besides its path; `headers` carry the credentials. */
export type RequestAuth = {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Keeps connections alive; another one only where certificates changed. */
  readonly agent: Agent;
};

/** A way to one API server, as one context of a kubeconfig or a pod's service account describes it. */
export type Connection = {
  /** The API server's URL with its base path, without a slash at the end. */
  readonly server: string;
  readonly context: string;
  /** Where that was read: "/home/admin/.kube/config", or "the pod's service account". */
  readonly from: string;
  /** The proxy on the way, without its password, for messages. */
  readonly proxy?: string;
  /** Rejects with a FailedError if no credentials are available. Tokens, files and plugins are re-read when they expire. */
  readonly getAuth: () => Promise<RequestAuth>;
  /** Replaces credentials that the API server refused: re-reads the kubeconfig and runs plugins again, once for all concurrent callers. */
  readonly renewAuth: (refused: RequestAuth) => Promise<RequestAuth>;
  readonly close: () => void;
};

export type ConnectOptions = {
  /** A file: the flag's. */
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where a pod finds its service account's token. */
  readonly serviceAccountFolder?: string;
};
