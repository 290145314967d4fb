import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, infrastructure, node, buildObject } from "./fake-cluster.ts";

const AWS = infrastructure("AWS");

function credentials(reason: string): JsonObject {
  return buildObject("config.openshift.io/v1", "ClusterOperator", "cloud-credential", {
    status: { conditions: [{ type: "Upgradeable", status: "False", reason }] },
  });
}

const FROM_ECR = "123456789012.dkr.ecr.eu-west-1.amazonaws.com/web:1";

function pod(image: string, pullSecrets: readonly string[] = [], phase = "Running"): JsonObject {
  const imagePullSecrets = pullSecrets.map((name) => ({ name }));
  return buildObject("v1", "Pod", "demo/web", {
    spec: { containers: [{ name: "web", image }], imagePullSecrets },
    status: { phase },
  });
}

function cronJob(pullSecrets: readonly string[]): JsonObject {
  const imagePullSecrets = pullSecrets.map((name) => ({ name }));
  const spec = { containers: [{ name: "web", image: FROM_ECR }], imagePullSecrets };
  return buildObject("batch/v1", "CronJob", "demo/nightly", {
    spec: { jobTemplate: { spec: { template: { spec } } } },
  });
}

/** OpenShift's own pull secret, which every pod has. */
const OWN_REGISTRY = "default-dockercfg-x7k2p";

function machineSet(labels: string): JsonObject {
  return buildObject("machine.openshift.io/v1beta1", "MachineSet", "openshift-machine-api/workers", {
    metadata: { annotations: { "capacity.cluster-autoscaler.kubernetes.io/labels": labels } },
  });
}

export const AWS_FIXTURES: Readonly<Record<string, Fixture>> = {
  "aws-mint-without-credentials": {
    hit: [AWS, credentials("MissingRootCredential")],
    remedied: [AWS, credentials("AsExpected")],
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
    hit: [AWS, pod(FROM_ECR)],
    remedied: [AWS, pod(FROM_ECR, ["ecr-credentials"])],
    miss: [AWS, pod("registry.example/dkr.ecr.x.amazonaws.com/web:1")],
    otherRemedies: [
      { hit: [AWS, pod(FROM_ECR, [OWN_REGISTRY])], remedied: [AWS, pod(FROM_ECR, [OWN_REGISTRY, "ecr-credentials"])] },
      { hit: [AWS, cronJob([])], remedied: [AWS, cronJob(["ecr-credentials"])] },
    ],
    otherHits: [{ hit: [AWS, pod(FROM_ECR, [], "Pending")] }],
    otherMisses: [{ miss: [AWS, pod(FROM_ECR, [], "Succeeded")] }, { miss: [AWS, pod(FROM_ECR, [], "Failed")] }],
  },
  "aws-cloud-conf-missing": {
    hit: [AWS],
    miss: [AWS, buildObject("v1", "ConfigMap", "openshift-cloud-controller-manager/cloud-conf")],
  },
  "machine-set-labels-annotation": {
    hit: [AWS, machineSet("kubernetes.io/arch=amd64,region=eu")],
    remedied: [AWS, machineSet("kubernetes.io/arch=amd64")],
    miss: [AWS, machineSet("region=eu")],
  },
};
