import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, infrastructure, node, buildObject } from "./fake-cluster.ts";

const AWS = infrastructure("AWS");

function credentials(reason: string): JsonObject {
  return buildObject("config.openshift.io/v1", "ClusterOperator", "cloud-credential", {
    status: { conditions: [{ type: "Upgradeable", status: "False", reason }] },
  });
}

function pod(image: string): JsonObject {
  return buildObject("v1", "Pod", "demo/web", { spec: { containers: [{ name: "web", image }] } });
}

function machineSet(labels: string): JsonObject {
  return buildObject("machine.openshift.io/v1beta1", "MachineSet", "openshift-machine-api/workers", {
    metadata: { annotations: { "capacity.cluster-autoscaler.kubernetes.io/labels": labels } },
  });
}

export const AWS_FIXTURES: Readonly<Record<string, Fixture>> = {
  "aws-mint-without-credentials": {
    hit: [AWS, credentials("MissingRootCredential")],
    miss: [AWS, credentials("MissingUpgradeableAnnotation")],
    otherMisses: [
      {
        miss: [
          AWS,
          credentials("MissingRootCredential"),
          buildObject("operator.openshift.io/v1", "CloudCredential", "cluster", {
            spec: { credentialsMode: "Passthrough" },
          }),
        ],
      },
    ],
  },
  "aws-custom-domain": {
    hit: [AWS, node("ip-10-0-1-2.example.com")],
    miss: [AWS, node("ip-10-0-1-2.eu-west-1.compute.internal"), node("ip-10-0-1-3.ec2.internal")],
  },
  "aws-ecr-node-policy": {
    hit: [AWS, pod("123456789012.dkr.ecr.eu-west-1.amazonaws.com/web:1")],
    miss: [AWS, pod("registry.example/dkr.ecr.x.amazonaws.com/web:1")],
  },
  "aws-cloud-conf-missing": {
    hit: [AWS],
    miss: [AWS, buildObject("v1", "ConfigMap", "openshift-cloud-controller-manager/cloud-conf")],
  },
  "machine-set-labels-annotation": {
    hit: [AWS, machineSet("kubernetes.io/arch=amd64,region=eu")],
    miss: [AWS, machineSet("kubernetes.io/arch=amd64")],
  },
};
