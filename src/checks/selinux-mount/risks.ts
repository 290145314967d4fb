import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("selinux-mount", { SELinuxLabelsOfSharedVolumesConflict: {} });
