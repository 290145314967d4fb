import { type Estimate, TRAVERSAL, operandSize } from "../cost/call-estimate.ts";
import { add, fixed, scale } from "../cost/estimate.ts";
import type { FunctionRow, Library } from "./function-table.ts";

const AUTHORIZATION = fixed(350_000);
/** Half of a selector's characters, each with a list and a struct. */
const SELECTOR = { list: fixed(10), requirement: 0.5, each: 50 };

const estimateSelector: Estimate = (call) => {
  const length = operandSize(call, 1);
  const requirements = scale(scale(length, SELECTOR.requirement), SELECTOR.each);
  return { cost: add(SELECTOR.list, scale(length, TRAVERSAL), requirements) };
};

function defineNarrowing(name: string): FunctionRow {
  return { name, signatures: "auth:ResourceCheck.(string) auth:ResourceCheck" };
}

function defineSelector(name: string): FunctionRow {
  return {
    name,
    signatures: "auth:ResourceCheck.(string) auth:ResourceCheck since 31",
    estimate: estimateSelector,
  };
}

/** Declared in rules of CRDs too, which have no authorizer to call them on. */
export const AUTHORIZER: Library = {
  owner: "api-server",
  since: 27,
  functions: [
    { name: "path", signatures: "auth:Authorizer.(string) auth:PathCheck" },
    { name: "group", signatures: "auth:Authorizer.(string) auth:GroupCheck" },
    { name: "serviceAccount", signatures: "auth:Authorizer.(string, string) auth:Authorizer" },
    { name: "resource", signatures: "auth:GroupCheck.(string) auth:ResourceCheck" },
    ...["name", "namespace", "subresource"].map(defineNarrowing),
    ...["fieldSelector", "labelSelector"].map(defineSelector),
    {
      name: "check",
      signatures: "auth:PathCheck.(string) auth:Decision | auth:ResourceCheck.(string) auth:Decision",
      estimate: () => ({ cost: AUTHORIZATION }),
    },
    { name: "allowed", signatures: "auth:Decision.() bool" },
    { name: "reason", signatures: "auth:Decision.() string" },
    { name: "errored", signatures: "auth:Decision.() bool since 28" },
    { name: "error", signatures: "auth:Decision.() string since 28" },
  ],
};
