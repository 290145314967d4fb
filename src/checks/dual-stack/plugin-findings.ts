import type { Context, Finding } from "../../model/check.ts";
import { crosses } from "../../model/version.ts";
import {
  NETWORK,
  type NetworkConfig,
  type NetworkSection,
  selectDualStackLists,
  isPlugin,
  formatPath,
  getRunningPlugin,
} from "./network.ts";
import { REMOVED_PLUGINS } from "./affected-releases.ts";
import { dualStackPluginUnsupported, networkPluginRemoved } from "./risks.ts";

const SECTIONS: readonly NetworkSection[] = ["status", "spec"];

/** Plugins, requested or running, that the target doesn't have. */
export function buildRemovedPluginFindings(
  { plugins }: NetworkConfig,
  { source, target }: Context,
): readonly Finding[] {
  const removed = REMOVED_PLUGINS.filter(({ removedIn }) => crosses(source, removedIn, target));
  return SECTIONS.flatMap((section) =>
    removed
      .filter(({ name }) => isPlugin(name, plugins[section]))
      .map(({ name, removedIn }) => ({
        risk: networkPluginRemoved.name,
        object: NETWORK,
        path: `${section}.networkType`,
        message: `${name} was removed in ${removedIn}.`,
      })),
  );
}

/** Leaves out plugins that the update removes, because those are findings already. */
export function buildDualStackPluginFindings(network: NetworkConfig, { source, target }: Context): readonly Finding[] {
  const others = REMOVED_PLUGINS.filter(({ removedIn }) => !crosses(source, removedIn, target));
  return selectDualStackLists(network).flatMap((list) => {
    const plugin = network.plugins[list.section] || getRunningPlugin(network);
    return others
      .filter(({ name }) => isPlugin(name, plugin))
      .map(({ name }) => ({
        risk: dualStackPluginUnsupported.name,
        object: NETWORK,
        path: formatPath(list),
        message: `It has IPv4 and IPv6 ranges, but ${name} supports only one family.`,
      }));
  });
}
