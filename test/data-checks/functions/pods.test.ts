import { testFunction } from "../../support/data-checks/function-cases.ts";
import type { JsonObject } from "../../../src/model/json.ts";

const spec: JsonObject = {
  hostNetwork: true,
  initContainers: [{ name: "init", image: "busybox" }],
  containers: [{ name: "a", image: "quay.io/a/b:1" }, { name: "b" }],
};
const OBJECT = {
  pod: { kind: "Pod", spec },
  deployment: { kind: "Deployment", spec: { template: { spec } } },
  cronJob: { kind: "CronJob", spec: { jobTemplate: { spec: { template: { spec } } } } },
  bare: { kind: "Pod", spec: {} },
  empty: { kind: "Deployment", spec: { template: {} } },
};

testFunction(
  "podSpec",
  [
    ["podSpec(object.pod).?hostNetwork", "optional(true)"],
    ["podSpec(object.deployment).?hostNetwork", "optional(true)"],
    ["podSpec(object.cronJob).?hostNetwork", "optional(true)"],
    ["podSpec(object.?cronJob).?hostNetwork", "optional(true)"],
    ["podSpec(object.bare).?hostNetwork", "none"],
    ["podSpec(object.empty).hasValue()", "false"],
    ["podSpec(object.?nope).hasValue()", "false"],
    ["podSpec(1).hasValue()", "false"],
  ],
  OBJECT,
);

testFunction(
  "images",
  [
    ["images(object.pod)", '["quay.io/a/b:1", "busybox"]'],
    ["images(object.deployment) == images(object.cronJob)", "true"],
    ["images(object.cronJob).size()", "2"],
    ["images(object.bare)", "[]"],
    ["images(object.empty)", "[]"],
  ],
  OBJECT,
);
