import type { BugEntry, ItemTest } from "../known-bug.ts";
import { backported, fromEarlierMinors } from "../versions.ts";

const MC = "machineconfiguration.openshift.io/v1";

/** The build of the operator that wrote a machine config. */
const WRITTEN_BY = 'metadata.annotations."machineconfiguration.openshift.io/generated-by-controller-version"';

/** The nodes' policy for images, from somebody other than the operator. */
const OWN_IMAGE_POLICY: ItemTest = {
  allOf: [
    { at: "spec.config.storage.files[].path", equals: "/etc/containers/policy.json" },
    { at: WRITTEN_BY, is: "absent" },
  ],
};

const ROLE = 'metadata.labels."machineconfiguration.openshift.io/role"';

/** Bugs of the machine-config operator. */
export const MACHINE_CONFIG_BUGS: readonly BugEntry[] = [
  {
    id: "rendering-churn",
    name: "KubeletConfigsRenderedTwice",
    published: ["MachineConfigRenderingChurn"],
    versions: fromEarlierMinors("4.11.0-fc.0", "4.11.25", "4.11.26"),
    when: {
      each: `${MC}/kubeletconfigs`,
      where: { not: { at: "spec.kubeletConfig.featureGates.CSIMigrationOpenStack", equals: true } },
    },
    title: "KubeletConfigs make nodes update twice",
    message:
      "The machine-config operator of {target} renders these KubeletConfigs with old and new feature gates in turn. Nodes restart more than once, or get stuck",
    remedy: "set spec.kubeletConfig.featureGates.CSIMigrationOpenStack to true in them",
    fix: {
      kinds: ["KubeletConfig"],
      command:
        'patch {object} --type=merge -p \'{"spec":{"kubeletConfig":{"featureGates":{"CSIMigrationOpenStack":true}}}}\'',
    },
    url: "https://access.redhat.com/solutions/6984140",
  },
  {
    id: "leaked-machine-configs",
    name: "MachineConfigOwnerGone",
    effect: "stuck",
    published: ["LeakedMachineConfigBlocksMCO"],
    versions: [
      { first: "4.11.26", last: "4.11.32", fixedIn: "4.11.33" },
      { first: "4.12.2", last: "4.12.7", fixedIn: "4.12.8" },
      { first: "4.13.0-ec.3", last: "4.13.0-ec.4", fixedIn: "4.13.0-rc.0" },
    ],
    when: {
      dangling: {
        each: `${MC}/machineconfigs`,
        where: { at: "metadata.name", matches: "^[0-9]+-.+-(kubelet|containerruntime)(-[0-9]+)?$" },
      },
      names: WRITTEN_BY,
      // The operator rewrites this one whenever its build changes.
      missingIn: { get: `${MC}/machineconfigs`, name: "00-worker", at: WRITTEN_BY },
    },
    title: "Leftover machine configs stall the machine-config operator",
    message:
      "The machine-config operator of {target} updates no pool while machine configs of an older build exist. Nothing renews these, because their KubeletConfig, ContainerRuntimeConfig or pool was deleted",
    remedy: "delete these machine configs (oc delete machineconfig NAME)",
    fix: { kinds: ["MachineConfig"], command: "delete {object}" },
    url: "https://issues.redhat.com/browse/OCPNODE-1502",
  },
  {
    id: "labeled-configs",
    name: "LabeledKubeletConfigsStallPools",
    effect: "stuck",
    published: ["LabeledMachineConfigAndContainerRuntimeConfigBlocksMCO"],
    versions: [
      { first: "4.14.47", last: "4.14.50", fixedIn: "4.14.51" },
      { first: "4.15.45", last: "4.15.48", fixedIn: "4.15.49" },
      { first: "4.16.31", last: "4.16.37", fixedIn: "4.16.38" },
      { first: "4.17.12", last: "4.17.22", fixedIn: "4.17.23" },
      { first: "4.18.1", last: "4.18.5", fixedIn: "4.18.6" },
      { first: "4.19.0-ec.1", last: "4.19.0-ec.3", fixedIn: "4.19.0-ec.4" },
    ],
    when: {
      anyOf: [
        { each: `${MC}/kubeletconfigs`, where: { at: ROLE, is: "present" } },
        { each: `${MC}/containerruntimeconfigs`, where: { at: ROLE, is: "present" } },
      ],
    },
    title: "KubeletConfigs and ContainerRuntimeConfigs with a role label stall machine config pools",
    message:
      "The machine-config operator of {target} never finishes with KubeletConfigs and ContainerRuntimeConfigs that have the label machineconfiguration.openshift.io/role, so the nodes of that role aren't updated",
    remedy: "remove the label (oc label kubeletconfig NAME machineconfiguration.openshift.io/role-)",
    fix: {
      kinds: ["KubeletConfig", "ContainerRuntimeConfig"],
      command: "label {object} machineconfiguration.openshift.io/role-",
    },
    url: "https://issues.redhat.com/browse/MCO-1585",
  },
  {
    id: "runtime-config-finalizers",
    name: "ContainerRuntimeConfigFinalizerStale",
    effect: "stuck",
    published: ["MCOContainerRuntimeConfigStaleFinalizer"],
    versions: [{ first: "4.17.11", last: "4.17.24", sources: [{ before: "4.17.11" }], fixedIn: "4.17.25" }],
    when: {
      dangling: { each: `${MC}/containerruntimeconfigs`, where: { at: "metadata.finalizers", is: "nonEmpty" } },
      names: "metadata.finalizers[]",
      // Others, such as foregroundDeletion, don't name machine configs.
      matching: "-containerruntime(-[0-9]+)?$",
      missingIn: `${MC}/machineconfigs`,
    },
    title: "Finalizers that name deleted machine configs degrade the machine-config operator",
    message:
      "ContainerRuntimeConfigs have finalizers that name deleted machine configs, so the machine-config operator of {target} becomes degraded and the update can't finish",
    remedy: "remove these finalizers (oc edit containerruntimeconfig NAME)",
    fix: { kinds: ["ContainerRuntimeConfig"], command: "edit {object}" },
    url: "https://issues.redhat.com/browse/OCPNODE-3119",
  },
  {
    id: "rhel-nodes-reboot",
    name: "RHELNodesFailToReboot",
    effect: "stuck",
    published: ["RHELFailedRebootMissingService"],
    versions: backported(
      ["4.16.38", "4.16.41", "4.16.42"],
      ["4.17.22", "4.17.32", "4.17.33"],
      ["4.18.6", "4.18.16", "4.18.17"],
    ),
    when: { each: "v1/nodes", where: { at: 'metadata.labels."node.openshift.io/os_id"', equals: "rhel" } },
    title: "RHEL nodes can't be updated",
    message:
      "RHEL nodes lack a service that the machine-config operator of {target} needs to restart them, so their update fails",
    url: "https://issues.redhat.com/browse/MCO-1702",
  },
  {
    id: "server-ca-rotation",
    name: "MachineConfigServerCALeftOver",
    published: ["MachineConfigServerCARotation"],
    versions: [
      {
        first: "4.18.0-rc.0",
        last: "4.18.1",
        sources: [{ from: "4.18.0-ec.4", before: "4.18.0-ec.5" }],
        fixedIn: "4.18.2",
      },
    ],
    when: { always: true },
    title: "New nodes can't join after 4.18.0-ec.4",
    message:
      "4.18.0-ec.4 changed the authority of the machine-config server's certificate, and {target} changes it back. No new machine can join until 'oc adm ocp-certificates update-ignition-ca-bundle-for-machine-config-server' is run after the update",
    url: "https://issues.redhat.com/browse/MCO-1481",
  },
  {
    id: "control-plane-labels",
    name: "ControlPlaneNodesLackLabel",
    effect: "stuck",
    published: ["MachineConfigNodesV1AlphaControlPlaneLabels"],
    versions: [{ first: "4.19.12", last: "4.19.13", fixedIn: "4.19.14" }],
    when: {
      allOf: [
        { hosted: false },
        {
          each: "v1/nodes",
          where: {
            allOf: [
              { at: 'metadata.labels."node-role.kubernetes.io/master"', is: "present" },
              { at: 'metadata.labels."node-role.kubernetes.io/control-plane"', is: "absent" },
            ],
          },
        },
      ],
    },
    title: "Control-plane nodes lack the label that the update needs",
    message:
      "The update to {target} finds control-plane nodes by the label node-role.kubernetes.io/control-plane, and gets stuck on nodes that have only that of the master role",
    remedy: "add the label (oc label node NAME node-role.kubernetes.io/control-plane=)",
    fix: { kinds: ["Node"], command: "label {object} node-role.kubernetes.io/control-plane=" },
    url: "https://issues.redhat.com/browse/MCO-1890",
  },
  {
    id: "os-image-policy",
    name: "ImagePolicyRejectsLocalOSImage",
    effect: "stuck",
    published: ["OSUpdateFailureDueToImagePullPolicy"],
    versions: [
      { first: "4.19.12", last: "4.19.15", fixedIn: "4.19.16" },
      { first: "4.20.0", last: "4.20.0", sources: [{ from: "4.19.16", before: "4.19.18" }], fixedIn: "4.20.1" },
    ],
    when: {
      allOf: [
        { hosted: false },
        {
          anyOf: [
            {
              get: "config.openshift.io/v1/images",
              name: "cluster",
              where: { at: "spec.registrySources.allowedRegistries", is: "nonEmpty" },
            },
            { each: `${MC}/machineconfigs`, where: OWN_IMAGE_POLICY },
          ],
        },
      ],
    },
    title: "An image policy rejects the operating system's image",
    message:
      "An image policy rejects all images that it doesn't name. Nodes of {target} then can't update from an operating system image on their disk (PinnedImageSet)",
    remedy: "lift the restriction until all machine config pools are updated (oc get machineconfigpools)",
    fix: { kinds: ["Image", "MachineConfig"], command: "edit {object}" },
    url: "https://issues.redhat.com/browse/MCO-1896",
  },
];
