import { type Estimate, operandSize } from "../cost/call-estimate.ts";
import { TRAVERSAL } from "../runtime/activation.ts";
import { add, fixed, scale } from "../cost/estimate.ts";
import { buildApiServerLibrary } from "../runtime/function-table.ts";

/** Half of a selector's characters, each with a list and a struct. */
const SELECTOR = { list: fixed(10), requirement: 0.5, each: 50 };

const estimateSelector: Estimate = (call) => {
  const length = operandSize(call, 1);
  const requirements = scale(scale(length, SELECTOR.requirement), SELECTOR.each);
  return { cost: add(SELECTOR.list, scale(length, TRAVERSAL), requirements) };
};

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
  fieldSelector: { types: `${NARROW} since authorizerSelectors`, estimate: estimateSelector },
  labelSelector: { types: `${NARROW} since authorizerSelectors`, estimate: estimateSelector },
  check: {
    types:
      "kubernetes.authorization.PathCheck.(string) kubernetes.authorization.Decision | kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.Decision",
    estimate: () => ({ cost: fixed(350_000) }),
  },
  allowed: { types: "kubernetes.authorization.Decision.() bool" },
  reason: { types: "kubernetes.authorization.Decision.() string" },
  errored: { types: "kubernetes.authorization.Decision.() bool since authorizerErrors" },
  error: { types: "kubernetes.authorization.Decision.() string since authorizerErrors" },
});
