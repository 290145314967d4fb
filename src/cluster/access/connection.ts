import type { Agent } from "node:http";

/** `headers` carry the credentials. */
export type RequestAuth = {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Keeps connections alive; replaced only when certificates change. */
  readonly agent: Agent;
};

/** One API server, as a context of a kubeconfig or a pod's service account describes it. */
export type Connection = {
  /** The API server's URL with its base path, without a slash at the end. */
  readonly server: string;
  readonly context: string;
  /** What it was read from: "/home/admin/.kube/config", or "the pod's service account". */
  readonly origin: string;
  /** The kubeconfig sets insecure-skip-tls-verify: anyone on the network path could answer. */
  readonly isInsecure?: true;
  /** The proxy between, without its password, for messages. */
  readonly proxy?: string;
  /** Rejects with a FailedError if no credentials are available. Tokens, files and plugins are re-read when they expire. */
  readonly getAuth: () => Promise<RequestAuth>;
  /** Replaces credentials that the API server refused: re-reads the kubeconfig and runs plugins again, once for all concurrent callers. */
  readonly renewAuth: (refused: RequestAuth) => Promise<RequestAuth>;
  readonly close: () => void;
};

/** `origin`: what it came from, for messages. */
export type GivenKubeconfig = { readonly origin: string; readonly text: string };

export type ConnectOptions = {
  /** The file that --kubeconfig names. */
  readonly kubeconfig?: string;
  /** Instead of a file, a kubeconfig that came from elsewhere: it may name neither files nor plugins of this machine. */
  readonly given?: GivenKubeconfig;
  readonly context?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of a pod's service account token. */
  readonly serviceAccountFolder?: string;
};
