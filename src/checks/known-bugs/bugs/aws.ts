import { CRON_JOB_POD_SPEC, buildConditionTest, buildPodTest } from "../common-predicates.ts";
import type { ItemTest, BugEntry, Predicate } from "../known-bug.ts";
import { fromEarlierMinors } from "../versions.ts";

const AWS: Predicate = { platform: ["AWS"] };

/** AWS's registries in all of its partitions. */
const ECR = "[.]dkr[.]ecr(-fips)?[.][^/]+[.](amazonaws[.]com([.]cn)?|c2s[.]ic[.]gov|sc2s[.]sgov[.]gov)[:/]";

/** OpenShift adds its own pull secret to every service account, and with it to pods: it is for the cluster's registry only. */
const OPENSHIFT_PULL_SECRET = "-dockercfg-[a-z0-9]{5}$";

/** The spec of a pod with an image from ECR, and with no pull secret but OpenShift's own. */
function buildNodePolicyTest(spec: string): ItemTest {
  return {
    allOf: [
      {
        anyOf: [
          { at: `${spec}.containers[].image`, matches: ECR },
          { at: `${spec}.initContainers[].image`, matches: ECR },
        ],
      },
      { not: { items: `${spec}.imagePullSecrets`, where: { not: { at: "name", matches: OPENSHIFT_PULL_SECRET } } } },
    ],
  };
}

/** Bugs that affect clusters on AWS. */
export const AWS_BUGS: readonly BugEntry[] = [
  {
    id: "aws-mint-without-credentials",
    name: "AWSRootCredentialsMissing",
    effect: "stuck",
    published: ["AWSMintModeWithoutCredentials"],
    versions: [
      { first: "4.13.9", last: "4.13.9", sources: [{ from: "4.13.0-0", before: "4.13.9" }], fixedIn: "4.13.10" },
    ],
    when: {
      allOf: [
        AWS,
        {
          not: {
            get: "operator.openshift.io/v1/cloudcredentials",
            name: "cluster",
            where: { at: "spec.credentialsMode", oneOf: ["Manual", "Passthrough"] },
          },
        },
        {
          get: "config.openshift.io/v1/clusteroperators",
          name: "cloud-credential",
          where: buildConditionTest("Upgradeable", "False", "MissingRootCredential"),
        },
      ],
    },
    title: "The update can't create credentials on AWS",
    message:
      "The cloud-credential operator lacks the root credentials of AWS. The update to {target} needs new credentials that it can't mint, and doesn't finish",
    remedy:
      "restore the Secret kube-system/aws-creds until ClusterOperator cloud-credential no longer reports MissingRootCredential",
    url: "https://issues.redhat.com/browse/NE-1376",
  },
  {
    id: "aws-custom-domain",
    name: "AWSNodesOfOtherDomainsDropOut",
    published: ["AWSCustomDomainNodesNotReady"],
    versions: [
      { first: "4.14.0-ec.0", last: "4.14.15", sources: [{ before: "4.14.0-0" }], fixedIn: "4.14.16" },
      { first: "4.15.0", last: "4.15.8", sources: [{ from: "4.14.14", before: "4.14.16" }], fixedIn: "4.15.9" },
    ],
    when: {
      allOf: [
        AWS,
        { each: "v1/nodes", where: { not: { at: "metadata.name", matches: "[.](compute|ec2)[.]internal$" } } },
      ],
    },
    title: "Nodes on AWS with a custom domain drop out",
    message: "Nodes on AWS whose names are outside AWS's own domains become NotReady with {target}",
    url: "https://issues.redhat.com/browse/MCO-1031",
  },
  {
    id: "aws-ecr-node-policy",
    name: "AWSRegistryPullsByNodePolicyFail",
    published: ["AWSECRLegacyCredProvider"],
    versions: fromEarlierMinors("4.14.0-ec.0", "4.14.10", "4.14.11"),
    when: {
      allOf: [
        AWS,
        {
          anyOf: [
            { each: "v1/pods", where: buildPodTest(buildNodePolicyTest("spec")) },
            { each: "batch/v1/cronjobs", where: buildNodePolicyTest(CRON_JOB_POD_SPEC) },
          ],
        },
      ],
    },
    title: "Images in AWS's registry can't be pulled",
    message:
      "The kubelet of {target} ignores the nodes' AWS policy for the Elastic Container Registry. Pods can't pull images from there without a pull secret",
    remedy: "add a pull secret for that registry to these pods (imagePullSecrets)",
    url: "https://issues.redhat.com/browse/OCPCLOUD-2434",
  },
  {
    id: "aws-cloud-conf-missing",
    name: "AWSCloudConfMissing",
    effect: "stuck",
    published: ["NoCloudConfConfigMap"],
    versions: fromEarlierMinors("4.19.0", "4.19.9", "4.19.10"),
    when: {
      allOf: [
        AWS,
        { hosted: false },
        { not: { get: "v1/configmaps", name: "openshift-cloud-controller-manager/cloud-conf" } },
      ],
    },
    title: "The cloud controllers on AWS have no configuration",
    message:
      "ConfigMap openshift-cloud-controller-manager/cloud-conf doesn't exist, and without it the update to {target} doesn't finish on AWS",
    url: "https://issues.redhat.com/browse/OCPCLOUD-3052",
  },
  {
    id: "machine-set-labels-annotation",
    name: "MachineSetLabelsAnnotationDegradesMachineConfig",
    effect: "stuck",
    published: ["InvalidArchitectureValueOfMachinesetsAnnotation"],
    versions: fromEarlierMinors("4.19.0", "4.19.8", "4.19.9"),
    when: {
      allOf: [
        { platform: ["AWS", "GCP"] },
        {
          each: "machine.openshift.io/v1beta1/machinesets",
          where: { at: 'metadata.annotations."capacity.cluster-autoscaler.kubernetes.io/labels"', matches: "," },
        },
      ],
    },
    title: "Machine sets with several capacity labels degrade the machine-config operator",
    message:
      "The machine-config operator of {target} reads several labels in the annotation capacity.cluster-autoscaler.kubernetes.io/labels as one architecture, becomes degraded and blocks the update",
    remedy: "remove all labels but kubernetes.io/arch from the annotation",
    fix: {
      kinds: ["MachineSet"],
      command:
        "annotate {object} --overwrite capacity.cluster-autoscaler.kubernetes.io/labels=kubernetes.io/arch=<architecture>",
    },
    url: "https://issues.redhat.com/browse/MCO-1834",
  },
];
