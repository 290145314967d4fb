import type { RiskText } from "../../model/check.ts";
import { buildObjectCommand, getCommandName } from "../../model/commands.ts";

export const etcdNotHealthy: RiskText = {
  name: "EtcdNotHealthy",
  effect: "stuck",
  title: "etcd is not healthy",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/backup_and_restore/control-plane-backup-and-restore",
  describe: (objects, { target }) =>
    `etcd is not healthy according to ${objects}. The update to ${target.text} restarts its members one at a time, and the next restart can cost etcd its quorum.`,
  remediation:
    'Repair or replace the member that "oc describe etcds.operator.openshift.io cluster" names. Update once EtcdMembersAvailable there is True, and EtcdMembersDegraded and EtcdEndpointsDegraded are False.',
  see: ({ object }, { platform }) => [
    buildObjectCommand(platform, "describe", object),
    `${getCommandName(platform)} -n openshift-etcd get pods`,
  ],
};
