import type { RiskText } from "../../model/check.ts";

export const etcdNotHealthy: RiskText = {
  name: "EtcdNotHealthy",
  title: "etcd is not healthy",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/backup_and_restore/control-plane-backup-and-restore",
  describe: (objects, { target }) =>
    `etcd is not healthy, and the update to ${target.text} restarts its members one by one, which can cost it the quorum: ${objects}.`,
  remediation:
    'Look at the messages of these conditions with "oc describe etcds.operator.openshift.io cluster", repair or replace the member, and update when all members are healthy.',
};
