import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, buildObject } from "./fake-cluster.ts";

function oauth(...providers: readonly (readonly [type: string, name: string])[]): readonly JsonObject[] {
  const identityProviders = providers.map(([type, name]) => ({ type, name }));
  return [buildObject("config.openshift.io/v1", "OAuth", "cluster", { spec: { identityProviders } })];
}

export const AUTHENTICATION_FIXTURES: Readonly<Record<string, Fixture>> = {
  "oauth-provider-name-space": {
    hit: oauth(["OpenID", "corp sso"]),
    remedied: oauth(["OpenID", "corp-sso"]),
    miss: oauth(["HTPasswd", "my users"], ["OpenID", "sso"], ["RequestHeader", "my proxy"]),
  },
};
