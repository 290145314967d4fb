import type { BugEntry, Predicate } from "../known-bug.ts";
import { backported, fromEarlierMinors } from "../versions.ts";

const AZURE: Predicate = { platform: ["Azure"] };
const MACHINE_SETS = "machine.openshift.io/v1beta1/machinesets";
const REGISTRY = { get: "imageregistry.operator.openshift.io/v1/configs", name: "cluster" } as const;

/** Bugs that affect clusters on Azure, including Azure Red Hat OpenShift (ARO). */
export const AZURE_BUGS: readonly BugEntry[] = [
  {
    id: "azure-accelerated-networking-race",
    name: "AzureAcceleratedNetworkingFailsNewNodes",
    published: ["AcceleratedNetworkingRace"],
    versions: fromEarlierMinors("4.13.0-ec.1", "4.13.39", "4.13.40"),
    when: {
      allOf: [
        AZURE,
        {
          anyOf: [
            { aro: true },
            {
              each: MACHINE_SETS,
              where: { at: "spec.template.spec.providerSpec.value.acceleratedNetworking", equals: true },
            },
          ],
        },
      ],
    },
    title: "New nodes with accelerated networking may not join on Azure",
    message: "A race in {target} can keep new machines with Azure's accelerated networking from becoming nodes",
    url: "https://issues.redhat.com/browse/OPNET-479",
  },
  {
    id: "aro-dnsmasq",
    name: "AROResolverFailsNewNodes",
    published: ["AROBrokenDNSMasq"],
    versions: [
      { first: "4.13.25", last: "4.13.29", fixedIn: "4.13.30" },
      { first: "4.14.2", last: "4.14.9", fixedIn: "4.14.10" },
    ],
    when: { aro: true },
    title: "New nodes can't be added to Azure Red Hat OpenShift",
    message:
      "This cluster is an Azure Red Hat OpenShift cluster, where new nodes can't start with the dnsmasq of {target}",
    url: "https://issues.redhat.com/browse/MCO-958",
  },
  {
    id: "aro-boot-sequence",
    name: "AROResolverOrderFailsNewNodes",
    certainty: "notice",
    published: ["ARODNSWrongBootSequence"],
    versions: [
      { first: "4.13.25", last: "4.13.52", sources: [{ before: "4.13.0-0" }] },
      { first: "4.14.0", last: "4.14.39", sources: [{ before: "4.14.0-0" }] },
    ],
    when: { aro: true },
    title: "New nodes may not reach their registry on Azure Red Hat OpenShift",
    message:
      "If a route table or a firewall keeps this Azure Red Hat OpenShift cluster from ARO's registry and quay.io, nodes can't be added or replaced on {target}",
    remedy: "make sure that the nodes reach both registries (podman pull on a node)",
    url: "https://access.redhat.com/solutions/7074686",
  },
  {
    id: "azure-systemd-loop",
    name: "AzureNodesOfOldInstallDontStart",
    published: ["AROSystemDLooping", "AzureSystemDLooping"],
    versions: [{ first: "4.13.46", last: "4.13.46", fixedIn: "4.13.48" }],
    when: {
      anyOf: [{ allOf: [AZURE, { bornBefore: "4.12.54" }] }, { allOf: [{ aro: true }, { bornBefore: "4.13.0-0" }] }],
    },
    title: "Nodes of old Azure clusters don't start",
    message:
      "This Azure cluster was installed with 4.12.53 or earlier (ARO: 4.12). There systemd of {target} finds a loop among its services and starts neither CRI-O nor the kubelet",
    url: "https://issues.redhat.com/browse/MCO-1257",
  },
  {
    id: "azure-default-vm-type",
    name: "AzureVMTypeUnsetBreaksLoadBalancers",
    published: ["AzureDefaultVMType"],
    versions: fromEarlierMinors("4.14.0-ec.0", "4.14.9", "4.14.10"),
    when: {
      allOf: [
        AZURE,
        {
          get: "v1/configmaps",
          name: "openshift-config/cloud-provider-config",
          where: { parsed: "data.config", as: "json", where: { not: { at: "vmType", is: "nonEmpty" } } },
        },
      ],
    },
    title: "New machines aren't added to load balancers on Azure",
    message:
      "The cloud provider configuration sets no vmType, and {target} uses another default: new machines are no longer added to load balancers",
    remedy: 'set vmType to "standard" in config of ConfigMap openshift-config/cloud-provider-config',
    fix: { kinds: ["ConfigMap"], command: "edit {object}" },
    url: "https://issues.redhat.com/browse/OCPCLOUD-2409",
  },
  {
    id: "azure-registry-images-lost",
    name: "AzureRegistryMayLoseImages",
    published: ["AzureRegistryImagePreservation"],
    versions: fromEarlierMinors("4.14.0-ec.0", "4.14.14", "4.14.15"),
    when: {
      allOf: [
        AZURE,
        {
          ...REGISTRY,
          where: {
            allOf: [
              { at: "spec.managementState", equals: "Managed" },
              { at: "spec.storage.azure", is: "present" },
            ],
          },
        },
      ],
    },
    title: "The image registry on Azure may lose images",
    message: "The image registry of {target} uses another path in the Azure storage and may not find existing images",
    url: "https://issues.redhat.com/browse/IR-461",
  },
  {
    id: "azure-registry-own-storage",
    name: "AzureRegistryOwnStorageStalls",
    effect: "stuck",
    published: ["AzureRegistryImageMigrationUserProvisioned"],
    versions: backported(["4.14.15", "4.14.22", "4.14.23"], ["4.15.0", "4.15.8", "4.15.9"]),
    when: {
      allOf: [
        AZURE,
        {
          ...REGISTRY,
          where: {
            allOf: [
              // Without a registry there are no images to move. The storage's settings remain.
              { not: { at: "spec.managementState", equals: "Removed" } },
              { at: "spec.storage.azure", is: "present" },
              { at: "spec.storage.managementState", equals: "Unmanaged" },
            ],
          },
        },
      ],
    },
    title: "An image registry on user-provisioned Azure storage stalls the update",
    message:
      "The image registry uses an Azure storage account that its operator doesn't manage, where {target} may fail to move the images, and the update stalls",
    url: "https://issues.redhat.com/browse/IR-468",
  },
  {
    id: "azure-non-zonal-machine-sets",
    name: "AzureMachineSetsWithoutZoneDontScale",
    published: ["NonZonalAzureMachineSetScaling"],
    versions: backported(
      ["4.15.48", "4.15.51", "4.15.52"],
      ["4.16.38", "4.16.41", "4.16.42"],
      ["4.17.17", "4.17.31", "4.17.32"],
      ["4.18.1", "4.18.15", "4.18.16"],
    ),
    when: {
      allOf: [
        AZURE,
        {
          each: MACHINE_SETS,
          where: { not: { at: "spec.template.spec.providerSpec.value.zone", is: "nonEmpty" } },
        },
        // Only regions without zones are affected, and a cluster has one region.
        {
          not: {
            each: "v1/nodes",
            where: { at: 'metadata.labels."topology.kubernetes.io/zone"', matches: "^[a-z0-9]+-[0-9]+$" },
          },
        },
      ],
    },
    title: "Machine sets without a zone don't scale on Azure",
    message:
      "Machine sets without an availability zone, in a region without zones, can't create machines with {target}",
    url: "https://issues.redhat.com/browse/OCPCLOUD-2975",
  },
  {
    id: "aro-certificate-name",
    name: "AROCertificateLacksInternalAddress",
    published: ["AROMissingInternalLBSAN"],
    versions: fromEarlierMinors("4.19.0", "4.19.7", "4.19.8"),
    when: { aro: true },
    title: "New machines can't join Azure Red Hat OpenShift",
    message:
      "On Azure Red Hat OpenShift, the machine-config server's certificate of {target} lacks the internal load balancer's address, so new machines can't join",
    url: "https://access.redhat.com/solutions/7128495",
  },
  {
    id: "aro-user-routes",
    name: "AROUserRoutesFailNewNodes",
    certainty: "notice",
    published: ["ARO420UDRWorkerNodesFail"],
    versions: fromEarlierMinors("4.20.0", "4.20.13", "4.20.14"),
    when: { aro: true },
    title: "New nodes may not start on Azure Red Hat OpenShift with user-defined routes",
    message:
      "If this Azure Red Hat OpenShift cluster is disconnected, or a route table redirects 0.0.0.0/0, nodes can't be added or replaced on {target}",
    remedy: "make sure that nodes reach their registries directly (az network route-table list)",
    url: "https://access.redhat.com/solutions/7133826",
  },
];
