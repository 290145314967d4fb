import { createCredentialSource } from "../../../src/cluster/access/credentials.ts";
import { selectKubeContext } from "../../../src/cluster/access/kube-context.ts";
import { buildImpersonationHeaders, isEmpty, readKubeconfig } from "../../../src/cluster/access/kubeconfig.ts";
import { unlessRefused } from "../refusals.ts";
import { writeScratch } from "../scratch.ts";
import { joinTexts, splitTexts, type FuzzTarget } from "../target.ts";

const CONFIG = {
  apiVersion: "v1",
  kind: "Config",
  "current-context": "a",
  contexts: [{ name: "a", context: { cluster: "c", user: "u", namespace: "n" } }],
  clusters: [{ name: "c", cluster: { server: "https://example.com:6443/x/", "certificate-authority-data": "YQ==" } }],
  users: [{ name: "u", user: { token: "t", "as-groups": ["g"], "as-uid": "1", "as-user-extra": { k: ["v"] } } }],
};
const USERS = [
  {
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command: "./p",
      args: ["a"],
      env: [{ name: "A", value: "b" }],
    },
  },
  { "client-certificate-data": "YQ==", "client-key-data": "YQ==" },
  { username: "a", password: "b" },
  { "auth-provider": { name: "oidc", config: { "id-token": "a.b.c", "idp-issuer-url": "https://example.com" } } },
  { tokenFile: "/dev/null", as: "somebody" },
];

/** Two kubeconfigs are merged or refused in one line. Credentials are prepared, but no plugin is run. */
export const target: FuzzTarget = {
  seeds: [
    joinTexts(JSON.stringify(CONFIG), "current-context: b\n"),
    ...USERS.map((user) => joinTexts(JSON.stringify({ ...CONFIG, users: [{ name: "u", user }] }), "{}")),
  ],
  run: async (input) => {
    const files = splitTexts(input)
      .slice(0, 2)
      .map((text, index) => writeScratch(`kubeconfig-${index}`, text));
    const config = await readKubeconfig(files, true);
    isEmpty(config);
    for (const name of [undefined, ...[...config.contexts.keys()].slice(0, 5)]) {
      const context = await unlessRefused(() => selectKubeContext(config, name));
      if (context === undefined) continue;
      buildImpersonationHeaders(context.user);
      await createCredentialSource(context, {}, new AbortController().signal);
    }
  },
};
