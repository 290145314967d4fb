/** A file with an administrator's check `name`, whose risk concerns the nodes with this prefix: in the demo cluster three are called master. */
export function buildSiteCheck(name: string, prefix = "master", risk = "NodeFrozen"): string {
  return `apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: ${name}}
spec:
  title: No node is frozen
  applies: {updates: [patch, minor, rollback]}
  reads:
    nodes: {list: v1/nodes}
    quotas: {list: v1/resourcequotas, when: 'nodes.items.size() < 0'}
  risks:
    - name: ${risk}
      effect: stuck
      title: A node is frozen
      url: https://wiki.example.com/nodes
      message: "\${objects} can't be drained for the update to \${target.version}."
      remediation: Ask the owner of the node to thaw it before the update.
      findings:
        - forEach: nodes.items
          when: object.metadata.name.startsWith("${prefix}")
          message: It is frozen.
`;
}
