import { readRisks } from "../shared/risks.ts";
import { findWhereaboutsFix } from "./affected-releases.ts";

export const risks = readRisks("dual-stack", {
  OVNSeveralClusterNetworksBreakPods: {},
  DualStackAdditionalNetworksStall: {},
  DualStackPluginUnsupported: {},
  NetworkPluginRemoved: {},
  WhereaboutsNetworksStall: {
    message: { fix: (_, { target }) => findWhereaboutsFix(target) ?? "a later release" },
  },
});
