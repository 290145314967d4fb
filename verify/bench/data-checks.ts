/** Twenty conditions on a pod as authors write them, none of them true: what they cost is the evaluation. */
const CONDITIONS: readonly ((i: number) => string)[] = [
  (i) => `object.metadata.name == "none-${i}"`,
  (i) => `object.metadata.name.endsWith("-none-${i}")`,
  (i) => `object.metadata.namespace.startsWith("none-${i}")`,
  (i) => `object.metadata.?labels["app"].orValue("") == "none-${i}"`,
  (i) => `object.metadata.?annotations["example.com/none-${i}"].hasValue()`,
  (i) => `object.metadata.?ownerReferences.orValue([]).exists(owner, owner.kind == "None${i}")`,
  (i) => `object.?status.?phase.orValue("") == "Failed" && object.metadata.namespace == "none-${i}"`,
  (i) => `object.spec.?nodeName.orValue("") == "none-${i}"`,
  (i) => `object.spec.?nodeSelector["example.com/none-${i}"].hasValue()`,
  (i) => `object.spec.?hostNetwork.orValue(false) && object.metadata.name == "none-${i}"`,
  (i) => `object.spec.?serviceAccountName.orValue("default") == "none-${i}"`,
  (i) => `object.spec.?runtimeClassName.orValue("") == "none-${i}"`,
  (i) => `object.spec.?priorityClassName.orValue("") in ["none-${i}", "never-${i}"]`,
  (i) => `object.spec.?initContainers.orValue([]).size() > ${10 + i}`,
  (i) => `object.spec.?tolerations.orValue([]).exists(one, one.?key.orValue("") == "none-${i}")`,
  (i) => `object.spec.?volumes.orValue([]).exists(volume, has(volume.gitRepo) || volume.name == "none-${i}")`,
  (i) => `object.spec.containers.exists(one, one.?image.orValue("").startsWith("none-${i}.example.com/"))`,
  (i) => `object.spec.containers.exists(one, one.?resources.?limits["example.com/none-${i}"].hasValue())`,
  (i) =>
    `object.spec.containers.exists(one, one.?securityContext.?privileged.orValue(false) && one.name == "none-${i}")`,
  (i) =>
    `object.spec.containers.exists(one, one.?ports.orValue([]).exists(port, port.?hostPort.orValue(0) == ${90_000 + i}))`,
];

/** A check that visits all pods. Its number makes its names and its condition its own. */
export function formatDataCheck(i: number): string {
  const where = CONDITIONS[i % CONDITIONS.length]?.(i);
  return `apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: check-${i}}
spec:
  title: Number ${i} is sound
  applies: {updates: [patch, minor, rollback], platforms: [openshift, kubernetes]}
  reads:
    objects: {list: v1/pods, where: '${where}'}
  risks:
    - name: Seen${i}
      effect: broken
      title: Seen ${i}
      url: https://example.com
      message: \${objects} are seen.
      remediation: Look at them.
      findings:
        - forEach: objects.items
          message: It is \${object.metadata.name}.
`;
}
