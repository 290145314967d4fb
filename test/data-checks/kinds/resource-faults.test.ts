import { strict as assert } from "node:assert";
import { test } from "node:test";
import { findResourceFault } from "../../../src/data-checks/kinds/resource-faults.ts";
import { parseResource } from "../../../src/model/resource.ts";

const ROWS: readonly (readonly [resource: string, said?: string])[] = [
  ["apps/v1/deployments"],
  ["autoscaling/v2beta2/horizontalpodautoscalers"],
  ["shop.example.com/v1/carts"],
  // Later releases may serve a new kind, or a known one in a new version.
  ["apps/v1/fleets"],
  ["certificates.k8s.io/v1/podcertificaterequests"],
  ["autoscaling/v3/horizontalpodautoscalers"],
  ["apps/v1beta1/deployments", "no release serves apps/v1beta1/deployments: write apps/v1/deployments"],
  ["v1/deployments", "no release serves v1/deployments: write apps/v1/deployments"],
  [
    "autoscaling/v2beta1/horizontalpodautoscaler",
    "no release serves autoscaling/v2beta1/horizontalpodautoscaler: write autoscaling/v2/horizontalpodautoscalers",
  ],
  [
    "extensions/v1beta1/ingresses",
    "no release serves extensions/v1beta1/ingresses: write networking.k8s.io/v1/ingresses",
  ],
  ["v1/pod", "no release serves v1/pod: write v1/pods"],
  ["bach/v1/things", "there is no API group bach: did you mean batch?"],
  ["shop/v1/carts", "there is no API group shop: the group of a custom resource has a dot"],
];

test("a resource that no release serves is told from one that is not known", () => {
  assert.deepEqual(
    ROWS.map(([resource]) => {
      const fault = findResourceFault(parseResource(resource));
      return fault === undefined ? [resource] : [resource, `${fault.message}: ${fault.hint}`];
    }),
    ROWS,
  );
});
