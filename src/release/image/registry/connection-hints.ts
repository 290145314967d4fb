import type { ConnectionError } from "../../../network/connection-error.ts";
import { chooseProxy } from "../../../network/proxy.ts";
import type { ClusterEgress, ImageOptions } from "../image-options.ts";

/** Where a connection failed: `egress` is the cluster's, if it counts there. */
export type FailedConnection = {
  readonly url: URL;
  readonly env: ImageOptions["env"];
  /** Whether the address takes no credentials: an update service or a signature store. */
  readonly isAnonymous: boolean;
  readonly egress: ClusterEgress | undefined;
};

/** What a person can do about it, to stand behind the error: ": give its certificate authority with --registry-ca". */
export function formatHint(kind: ConnectionError["kind"], failed: FailedConnection): string {
  const { egress, isAnonymous } = failed;
  const authorityProblems = formatProblems(egress?.authorityProblems);
  const proxyProblems = formatProblems(egress?.proxyProblems);
  switch (kind) {
    case "untrusted":
      return `: give its certificate authority with --registry-ca${egress ? ", or in trustedCA of Proxy cluster, as the operator needs it" : ""}${authorityProblems}`;
    case "untrustedProxy":
      return `: give the certificate authority of the proxy with --registry-ca${authorityProblems}`;
    case "notTls":
      return isAnonymous ? "" : ": registries are contacted over TLS only";
    case "proxy":
      return formatProxyHint(failed);
    case "unreachable":
    case "idle":
      return isAnonymous ? `${formatDirectHint(failed)}${proxyProblems}` : "";
    case "other":
      return "";
  }
}

function formatProblems(problems: readonly string[] = []): string {
  return problems.map((problem) => `; ${problem}`).join("");
}

function formatProxyHint({ url, env, egress }: FailedConnection): string {
  const choice = chooseProxy(url, env, egress?.proxy);
  if (choice.kind !== "proxy" || choice.origin !== "cluster") return "";
  return ": Proxy cluster names it; set HTTPS_PROXY to use another, or NO_PROXY to use none";
}

function formatDirectHint({ url, env, egress }: FailedConnection): string {
  if (chooseProxy(url, env, egress?.proxy).kind !== "none") return "";
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  return `: if only a proxy leads there, set ${name}${egress ? " or Proxy cluster" : ""}`;
}
