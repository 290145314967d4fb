import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../../src/model/check.ts";
import type { Platform } from "../../src/model/version.ts";
import { fitCommands } from "../../src/runner/report/fit-commands.ts";

function find(kind: string, name: string, namespace?: string): Finding {
  return { risk: "Seen", object: { apiVersion: "demo.example.com/v1", kind, name, namespace }, message: "" };
}

const ROWS: readonly (readonly [text: string, platform: Platform, findings: readonly Finding[], fitted: string])[] = [
  ['"oc describe widget NAME" shows it', "openshift", [find("Widget", "a")], '"oc describe widget a" shows it'],
  ['"kubectl get widgets -A"', "openshift", [find("Widget", "a")], '"oc get widgets -A"'],
  ['"kubectl get widgets -A"', "kubernetes", [find("Widget", "a")], '"kubectl get widgets -A"'],
  ['"kubectl uncordon NODE"', "openshift", [find("Node", "a")], '"oc adm uncordon NODE"'],
  [
    '"kubectl describe widget NAME"',
    "kubernetes",
    [find("Widget", "a", "shop")],
    '"kubectl describe widget a -n shop"',
  ],
  ['"oc -n demo edit widget NAME"', "openshift", [find("Widget", "a", "demo")], '"oc -n demo edit widget a"'],
  ['"oc edit KIND NAME"', "openshift", [find("Widget", "a", "shop")], '"oc edit widget.demo.example.com/a -n shop"'],
  [
    '"oc get pods -n NAMESPACE"',
    "openshift",
    [find("Widget", "a", "shop"), find("Widget", "b", "shop")],
    '"oc get pods -n shop"',
  ],
  ['"oc describe widget NAME"', "openshift", [find("Widget", "a"), find("Widget", "b")], '"oc describe widget NAME"'],
  [
    '"oc get pods -n NAMESPACE"',
    "openshift",
    [find("Widget", "a", "shop"), find("Widget", "a", "cart")],
    '"oc get pods -n NAMESPACE"',
  ],
  ['"oc describe gadget NAME"', "openshift", [find("Widget", "a")], '"oc describe gadget NAME"'],
  ['"oc describe widget NAME"', "openshift", [find("Widget", "a$&'; b")], `"oc describe widget 'a$&'\\''; b'"`],
  [
    '"oc annotate machineosconfig NAME a=b"',
    "openshift",
    [find("MachineConfigPool", "a")],
    '"oc annotate machineosconfig a a=b"',
  ],
  ['"kubectl uncordon NAME"', "openshift", [find("Node", "a")], '"oc adm uncordon a"'],
  ["Rename NAME by hand.", "openshift", [find("Widget", "a")], "Rename NAME by hand."],
  ['"oc describe widget NAME"', "openshift", [], '"oc describe widget NAME"'],
];

for (const [text, platform, findings, fitted] of ROWS)
  test(`${text} on ${platform}, for ${findings.map(({ object }) => object.name).join(" and ") || "nothing"}`, () =>
    assert.equal(fitCommands(text, platform, findings), fitted));
