import { buildApiServerLibrary } from "../runtime/function-table.ts";

const NARROW = "kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.ResourceCheck";

/** Declared in rules of CRDs too, which have no authorizer to call them on. */
export const AUTHORIZER = buildApiServerLibrary("authorizer", {
  path: { types: "kubernetes.authorization.Authorizer.(string) kubernetes.authorization.PathCheck" },
  group: { types: "kubernetes.authorization.Authorizer.(string) kubernetes.authorization.GroupCheck" },
  serviceAccount: { types: "kubernetes.authorization.Authorizer.(string, string) kubernetes.authorization.Authorizer" },
  resource: { types: "kubernetes.authorization.GroupCheck.(string) kubernetes.authorization.ResourceCheck" },
  subresource: { types: NARROW },
  namespace: { types: NARROW },
  name: { types: NARROW },
  fieldSelector: { types: `${NARROW} since authorizerSelectors` },
  labelSelector: { types: `${NARROW} since authorizerSelectors` },
  check: {
    types:
      "kubernetes.authorization.PathCheck.(string) kubernetes.authorization.Decision | kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.Decision",
  },
  allowed: { types: "kubernetes.authorization.Decision.() bool" },
  reason: { types: "kubernetes.authorization.Decision.() string" },
  errored: { types: "kubernetes.authorization.Decision.() bool since authorizerErrors" },
  error: { types: "kubernetes.authorization.Decision.() string since authorizerErrors" },
});
