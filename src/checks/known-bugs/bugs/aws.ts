import type { KnownBug, Predicate } from "../known-bug.ts";

const AWS: Predicate = { platform: ["AWS"] };

/** Registries of AWS, in all of its partitions. */
const ECR = "[.]dkr[.]ecr(-fips)?[.][^/]+[.](amazonaws[.]com([.]cn)?|c2s[.]ic[.]gov|sc2s[.]sgov[.]gov)[:/]";

/** Faults that hit clusters on AWS. */
export const AWS_BUGS: readonly KnownBug[] = [
  {
    id: "aws-mint-without-credentials",
    name: "AWSRootCredentialsMissing",
    certainty: "risk",
    published: ["AWSMintModeWithoutCredentials"],
    versions: [
      { first: "4.13.9", last: "4.13.9", sources: [{ from: "4.13.0-0", before: "4.13.9" }], fixedIn: "4.13.10" },
    ],
    when: {
      allOf: [
        AWS,
        {
          get: "config.openshift.io/v1/clusteroperators",
          name: "cloud-credential",
          where: {
            items: "status.conditions",
            where: {
              allOf: [
                { at: "type", equals: "Upgradeable" },
                { at: "status", equals: "False" },
                { at: "reason", equals: "MissingRootCredential" },
              ],
            },
          },
        },
      ],
    },
    title: "The update can't make credentials on AWS",
    message:
      "The cloud-credential operator mints credentials on AWS but reports that those to mint with are gone, and the update to {target}, which needs new ones, can't finish",
    remedy: "restore the secret aws-creds of kube-system",
    url: "https://issues.redhat.com/browse/NE-1376",
  },
  {
    id: "aws-custom-domain",
    name: "AWSNodesOfOtherDomainsDropOut",
    certainty: "risk",
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
    title: "Nodes on AWS with a domain of their own drop out",
    message: "Nodes on AWS whose names aren't in AWS's own domain become NotReady with {target}",
    url: "https://issues.redhat.com/browse/MCO-1031",
  },
  {
    id: "aws-ecr-node-policy",
    name: "AWSRegistryPullsByNodePolicyFail",
    certainty: "risk",
    published: ["AWSECRLegacyCredProvider"],
    versions: [{ first: "4.14.0-ec.0", last: "4.14.10", sources: [{ before: "4.14.0-0" }], fixedIn: "4.14.11" }],
    when: {
      allOf: [
        AWS,
        {
          each: "v1/pods",
          where: {
            anyOf: [
              { at: "spec.containers[].image", matches: ECR },
              { at: "spec.initContainers[].image", matches: ECR },
            ],
          },
        },
      ],
    },
    title: "Images of AWS's registry can't be pulled",
    message:
      "The kubelet of {target} no longer takes part in the nodes' AWS policy for the Elastic Container Registry, so images from there can't be pulled without a pull secret",
    remedy: "give these pods a pull secret",
    url: "https://issues.redhat.com/browse/OCPCLOUD-2434",
  },
  {
    id: "aws-cloud-conf-missing",
    name: "AWSCloudConfMissing",
    certainty: "risk",
    published: ["NoCloudConfConfigMap"],
    versions: [{ first: "4.19.0", last: "4.19.9", sources: [{ before: "4.19.0-0" }], fixedIn: "4.19.10" }],
    when: {
      allOf: [
        AWS,
        { hosted: false },
        { not: { get: "v1/configmaps", name: "openshift-cloud-controller-manager/cloud-conf" } },
      ],
    },
    title: "The cloud controllers on AWS have no configuration",
    message:
      "ConfigMap cloud-conf of namespace openshift-cloud-controller-manager, without which the update to {target} doesn't finish on AWS, is not there",
    url: "https://issues.redhat.com/browse/OCPCLOUD-3052",
  },
  {
    id: "machine-set-labels-annotation",
    name: "MachineSetLabelsAnnotationDegradesMachineConfig",
    certainty: "risk",
    published: ["InvalidArchitectureValueOfMachinesetsAnnotation"],
    versions: [{ first: "4.19.0", last: "4.19.8", sources: [{ before: "4.19.0-0" }], fixedIn: "4.19.9" }],
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
      "The machine-config operator of {target} takes several labels in the annotation capacity.cluster-autoscaler.kubernetes.io/labels for one architecture, becomes degraded and blocks the update",
    remedy: "leave only the label kubernetes.io/arch in the annotation",
    url: "https://issues.redhat.com/browse/MCO-1834",
  },
];
