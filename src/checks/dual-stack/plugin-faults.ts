import type { Context, Finding } from "../../model/check.ts";
import { crosses } from "../../model/version.ts";
import {
  NETWORK,
  type NetworkConfig,
  type Section,
  dualStackLists,
  isPlugin,
  pathOf,
  runningPlugin,
} from "./network.ts";
import { ENDED_PLUGINS } from "./releases.ts";
import { dualStackPlugin, pluginRemoved } from "./risks.ts";

const SECTIONS: readonly Section[] = ["status", "spec"];

/** Is a plugin asked for, or running, that the target doesn't have? */
export function removedPlugins({ plugins }: NetworkConfig, { source, target }: Context): readonly Finding[] {
  const removed = ENDED_PLUGINS.filter(({ removedIn }) => crosses(source, removedIn, target));
  return SECTIONS.flatMap((section) =>
    removed
      .filter(({ name }) => isPlugin(name, plugins[section]))
      .map(({ name, removedIn }) => ({
        risk: pluginRemoved.name,
        object: NETWORK,
        path: `${section}.networkType`,
        message: `${name} was removed in ${removedIn}.`,
      })),
  );
}

/** One fault, one finding: of a plugin that the update removes, the families don't matter any more. */
export function dualStackPlugins(network: NetworkConfig, { source, target }: Context): readonly Finding[] {
  const ended = ENDED_PLUGINS.filter(({ removedIn }) => !crosses(source, removedIn, target));
  return dualStackLists(network).flatMap((list) => {
    const plugin = network.plugins[list.section] || runningPlugin(network);
    return ended
      .filter(({ name }) => isPlugin(name, plugin))
      .map(({ name }) => ({
        risk: dualStackPlugin.name,
        object: NETWORK,
        path: pathOf(list),
        message: `It holds IPv4 and IPv6, but ${name} carries one of them only.`,
      }));
  });
}
