import type { BugEntry } from "../known-bug.ts";
import { fromEarlierMinors } from "../versions.ts";

/** Bugs that affect all clusters on a platform; Azure and AWS have their own files. */
export const PLATFORMS_BUGS: readonly BugEntry[] = [
  {
    id: "openstack-nodes-not-created",
    name: "OpenStackNewNodesFail",
    published: ["OpenStackNodeCreationFails"],
    versions: [{ first: "4.10.38", last: "4.10.38" }],
    when: { platform: ["OpenStack"] },
    title: "New nodes can't be added on OpenStack",
    message: "This cluster runs on OpenStack, where {target} can't add new nodes",
    url: "https://issues.redhat.com/browse/OCPBUGS-2628",
  },
  {
    id: "openstack-zones",
    name: "OpenStackZonesMayStopVolumes",
    certainty: "notice",
    published: ["OpenStackAvailabilityZoneOutOfRange"],
    versions: [
      { first: "4.14.29", last: "4.14.30", fixedIn: "4.14.31" },
      { first: "4.15.15", last: "4.15.18", fixedIn: "4.15.19" },
      { first: "4.16.0-ec.6", last: "4.16.0-rc.4", fixedIn: "4.16.0-rc.5" },
    ],
    when: { platform: ["OpenStack"] },
    title: "Volumes may not be created or deleted on OpenStack",
    message:
      "If OpenStack has more availability zones for servers than for volumes, Cinder volumes can't be created or deleted with {target}",
    remedy:
      "make sure that 'openstack availability zone list --compute' shows no more zones than the same with --volume",
    url: "https://issues.redhat.com/browse/OSASINFRA-3500",
  },
  {
    id: "keepalived-multicast",
    name: "KeepalivedSpeaksTwoWays",
    published: ["KeepalivedMulticastSkew"],
    versions: fromEarlierMinors("4.11.0-fc.0", "4.11.40", "4.11.41"),
    when: {
      allOf: [
        { platform: ["OpenStack", "oVirt", "VSphere"] },
        {
          each: "v1/nodes",
          where: {
            allOf: [
              { at: 'metadata.annotations."machineconfiguration.openshift.io/currentConfig"', is: "nonEmpty" },
              {
                not: {
                  at: 'metadata.annotations."machineconfiguration.openshift.io/currentConfig"',
                  matches: "^rendered-master-",
                },
              },
            ],
          },
        },
      ],
    },
    title: "Old and new nodes compete for the ingress address",
    message:
      "{target} changes keepalived from multicast to unicast: until the last node is updated, old and new nodes both claim the ingress address, which can degrade operators",
    url: "https://access.redhat.com/solutions/7007826",
  },
  {
    id: "slow-image-pulls",
    name: "SlowPullsMayBreakNodes",
    certainty: "notice",
    published: ["PodmanTermStorageCorruption"],
    versions: [{ first: "4.11.2", last: "4.11.2" }],
    when: { platform: ["BareMetal", "Nutanix", "OpenStack", "oVirt", "VSphere"] },
    title: "Slow image pulls may corrupt the storage of nodes",
    message:
      "If a node needs more than 20 seconds to pull the image of the machine-config daemon, the update to {target} may corrupt its storage",
    remedy: "make sure that nodes pull the image faster ('podman pull' on a node, for example from a mirror nearby)",
    url: "https://issues.redhat.com/browse/OCPBUGS-631",
  },
  {
    id: "bare-metal-provisioning",
    name: "BareMetalProvisioningBroken",
    published: ["BrokenBaremetalProvisioning"],
    versions: [{ first: "4.11.51", last: "4.11.52", fixedIn: "4.11.53" }],
    when: { platform: ["BareMetal"] },
    title: "Bare-metal machines can't be provisioned",
    message: "This cluster runs on bare metal, where {target} can neither provision nor deprovision machines",
    url: "https://issues.redhat.com/browse/METAL-739",
  },
  {
    id: "gcp-mint-role",
    name: "GCPMintRoleMayLackRights",
    certainty: "notice",
    published: ["GCPMintModeRoleAdmin"],
    versions: [
      {
        first: "4.15.0-rc.0",
        last: "4.15.0-rc.8",
        sources: [{ from: "4.14.0-0", before: "4.15.0-rc.0" }],
        fixedIn: "4.15.0",
      },
    ],
    when: {
      allOf: [
        { platform: ["GCP"] },
        {
          get: "operator.openshift.io/v1/cloudcredentials",
          name: "cluster",
          where: { not: { at: "spec.credentialsMode", oneOf: ["Manual", "Passthrough"] } },
        },
      ],
    },
    title: "The account that mints credentials on GCP may lack a permission",
    message:
      "If the cloud-credential operator mints credentials on GCP, as its default mode allows, that of {target} also creates custom roles, for which its account needs one more permission",
    remedy:
      "grant the account of Secret kube-system/gcp-credentials the role roles/iam.roleAdmin (gcloud projects add-iam-policy-binding)",
    url: "https://issues.redhat.com/browse/CCO-522",
  },
  {
    id: "vsphere-node-names",
    name: "VSphereNodeNamesLost",
    published: ["VSphereNodeNameChanges"],
    versions: [{ first: "4.7.4", last: "4.7.4" }],
    when: { platform: ["VSphere"] },
    title: "Nodes on vSphere may lose their names",
    message:
      "This cluster runs on vSphere, where nodes may lose their names with {target}, which breaks the control plane and workloads",
    url: "https://bugzilla.redhat.com/show_bug.cgi?id=1942207#c3",
  },
  {
    id: "vsphere-hardware-14",
    name: "VSphereHardware14MayLosePackets",
    certainty: "notice",
    published: ["VSphereHW14CrossNodeNetworkingError"],
    versions: fromEarlierMinors("4.7.4", "4.7.4"),
    when: { platform: ["VSphere", "None"] },
    title: "Nodes on vSphere may not reach each other",
    message:
      "If the nodes are virtual machines of vSphere with hardware version 14 or later, they may not reach each other with {target}",
    remedy: "make sure that the virtual machines have hardware version 13 (govc vm.info -json shows config.version)",
    url: "https://access.redhat.com/solutions/5896081",
  },
];
