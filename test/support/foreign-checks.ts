import { listTakenNames } from "../../src/cli/checks/risk-names.ts";
import { type SourceText, loadChecks } from "../../src/data-checks/load.ts";
import type { CheckSource } from "../../src/model/check-origin.ts";
import type { Json } from "../../src/model/json.ts";

export type Texts = { readonly [field: string]: Json };

/** A check of nodes, in JSON, which is YAML. */
export function writeCheck(risk: Texts, spec: Texts = {}): string {
  const whole = {
    name: "NodeFrozen",
    effect: "broken",
    title: "A node is frozen",
    url: "https://example.com/nodes",
    message: "${objects} is frozen.",
    remediation: "Thaw it.",
    findings: [{ forEach: "nodes.items", message: "It is frozen." }],
    ...risk,
  };
  const reads = { nodes: { list: "v1/nodes" } };
  return JSON.stringify({
    apiVersion: "preflight.openshift.io/v1alpha1",
    kind: "PreflightCheck",
    metadata: { name: "nodes" },
    spec: { title: "No node is frozen", applies: { updates: ["patch", "minor"] }, reads, risks: [whole], ...spec },
  });
}

const OPERATOR: CheckSource = { kind: "operator", package: "shop", version: "1.2.3" };
export const SCOPE = { kinds: ["nodes"], namespaces: ["shop"] };

export type Origin = readonly [name: string, source: CheckSource, more?: Partial<SourceText>];

export const ORIGINS: readonly Origin[] = [
  ["a release", { kind: "payload", release: "4.20.3" }],
  ["an operator", OPERATOR],
  ["an artefact or a ConfigMap", { kind: "site" }, { isShared: true }],
];
export const NAMED: Origin = ["a file that the administrator names", { kind: "site" }];

export async function load(text: string, [, source, more]: Origin) {
  return loadChecks([{ name: "a.yaml", text, ...more }], source, listTakenNames());
}
