import type { BugEntry, Predicate } from "../known-bug.ts";
import { fromEarlierMinors } from "../versions.ts";

/** The boot images of the running release: since 4.8 they are listed there, those of AWS by region. */
const LISTED_IMAGES = {
  get: "v1/configmaps",
  name: "openshift-machine-config-operator/coreos-bootimages",
  parsed: "data.stream",
  at: "architectures[].images.aws.regions[].image",
} as const;

/**
 * Objects whose boot image may be as old as the cluster. Two fields show that it isn't: an image of the running release, and the user data
 * that the machine-config operator manages, in a format (Ignition spec 3) that images before 4.6 can't read (MCO-589).
 */
function buildOldImagePredicate(resource: string, spec: string): Predicate {
  return {
    dangling: { each: resource, where: { not: { at: `${spec}.userDataSecret.name`, matches: "-user-data-managed$" } } },
    names: `${spec}.ami.id`,
    all: true,
    missingIn: LISTED_IMAGES,
  };
}

const MACHINE_SETS = "machine.openshift.io/v1beta1/machinesets";

/** Without machine sets, the API doesn't show which image new machines start from. */
const NEW_MACHINES_MAY_BE_OLD: Predicate = {
  anyOf: [
    buildOldImagePredicate(MACHINE_SETS, "spec.template.spec.providerSpec.value"),
    { not: { each: MACHINE_SETS, where: { at: "metadata.name", is: "present" } } },
  ],
};

/** Without a machine, the API doesn't show which image a node started from. */
const NODES_MAY_BE_OLD: Predicate = {
  anyOf: [
    buildOldImagePredicate("machine.openshift.io/v1beta1/machines", "spec.providerSpec.value"),
    { each: "v1/nodes", where: { at: 'metadata.annotations."machine.openshift.io/machine"', is: "absent" } },
  ],
};

const REMEDY =
  "update the machine sets' boot image and set their userDataSecret to worker-user-data-managed (unreadable before 4.6)";

const FIX = { kinds: ["MachineSet"], command: "edit {object}" } as const;

/** Bugs that affect nodes created from old boot images. The cluster's first version shows how old these may be. */
export const BOOT_IMAGES_BUGS: readonly BugEntry[] = [
  {
    id: "boot-image-afterburn",
    name: "BootImagesOf41LackAfterburn",
    published: ["AWSOldBootImagesLackAfterburn"],
    versions: fromEarlierMinors("4.11.0-fc.0", "4.11.32", "4.11.33"),
    when: { allOf: [{ platform: ["AWS"] }, { bornBefore: "4.2.0-0" }, NEW_MACHINES_MAY_BE_OLD] },
    title: "New nodes can't start from the boot images of 4.1 on AWS",
    message:
      "The cluster was installed on AWS as 4.1. New machines with its boot images lack afterburn, without which they don't become nodes of {target}",
    remedy: REMEDY,
    fix: FIX,
    url: "https://issues.redhat.com/browse/MCO-519",
  },
  {
    id: "boot-image-aws-42",
    name: "BootImagesOf42RejectedOnAWS",
    published: ["AWSOldBootImages"],
    versions: fromEarlierMinors("4.12.0-rc.0", "4.12.0-rc.7", "4.12.0-rc.8"),
    when: { allOf: [{ platform: ["AWS"] }, { bornBefore: "4.3.0-0" }, NEW_MACHINES_MAY_BE_OLD] },
    title: "New nodes can't start from the boot images of 4.2 on AWS",
    message:
      "The cluster was installed on AWS as 4.2 or earlier, and new machines that start from its boot images can't become nodes of {target}",
    remedy: REMEDY,
    fix: FIX,
    url: "https://issues.redhat.com/browse/COS-1942",
  },
  {
    id: "boot-image-podman-authfile",
    name: "BootImagesOf41RejectPodmanCall",
    published: ["OldBootImagesPodmanMissingAuthFlag"],
    versions: fromEarlierMinors("4.12.0-rc.8", "4.12.8", "4.12.9"),
    when: { allOf: [{ bornBefore: "4.2.0-0" }, NEW_MACHINES_MAY_BE_OLD] },
    title: "New nodes can't start from the boot images of 4.1",
    message:
      "The cluster was installed as 4.1. In its boot images, podman lacks an option that {target} uses to update a new machine before it becomes a node",
    remedy: REMEDY,
    fix: FIX,
    url: "https://issues.redhat.com/browse/MCO-540",
  },
  {
    id: "boot-image-os-release",
    name: "BootImagesOf42LackRHELVersion",
    published: ["OldBootImagesMissingOSReleaseRHELVersion"],
    versions: fromEarlierMinors("4.16.0", "4.16.2", "4.16.3"),
    when: { allOf: [{ bornBefore: "4.3.0-0" }, NEW_MACHINES_MAY_BE_OLD] },
    title: "New nodes can't start from the boot images of 4.1 and 4.2",
    message:
      "The cluster was installed as 4.2 or earlier, and new machines that start from its boot images can't become nodes of {target}",
    remedy: REMEDY,
    fix: FIX,
    url: "https://issues.redhat.com/browse/MCO-1212",
  },
  {
    id: "boot-image-composefs",
    name: "BootImagesOf42FailComposefs",
    published: ["OldBootImagesComposeFSvsGrubProbe"],
    versions: fromEarlierMinors("4.19.0", "4.19.4", "4.19.5"),
    when: { allOf: [{ bornBefore: "4.3.0-0" }, NODES_MAY_BE_OLD] },
    title: "Nodes created from the boot images of 4.1 and 4.2 can't be updated",
    message:
      "The cluster was installed as 4.2 or earlier. Nodes created from its boot images can't be updated to {target}, since their boot loader doesn't support its file system",
    remedy:
      "replace these nodes by ones from a newer boot image (userDataSecret worker-user-data-managed or master-user-data-managed)",
    url: "https://issues.redhat.com/browse/COS-3357",
  },
  {
    id: "boot-image-scos",
    name: "BootImageConfigMapFlaps",
    published: ["SCOSBootImage"],
    versions: [{ first: "4.19.18", last: "4.19.18", fixedIn: "4.19.19" }],
    when: { always: true },
    title: "The target's boot images alternate between two operating systems",
    message:
      "{target} ships two versions of ConfigMap coreos-bootimages, which the cluster-version operator applies in turn, so new nodes may start from CentOS Stream CoreOS",
    url: "https://issues.redhat.com/browse/COS-3765",
  },
];
