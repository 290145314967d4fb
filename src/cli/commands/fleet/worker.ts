import { formatError } from "../../../model/errors.ts";
import type { ImageCache } from "../../../release/image/image-cache.ts";
import { printSkipped, type ReadTarget, readTarget } from "../../target-release/target.ts";
import type { Io } from "../../io/io.ts";
import type { ParentMessage } from "../../process/messages.ts";
import type { Parent } from "../../process/parent.ts";
import { requireGivenTarget } from "../../target-release/checks-and-target.ts";
import { checkCluster } from "./cluster-check.ts";
import type { LoadedFleetValues } from "./definition.ts";

/** A child process of `fleet`: checks one cluster after the other, until it is stopped. The target is read once for all of them. */
export async function serveClusters(values: LoadedFleetValues, io: Io, parent: Parent): Promise<0> {
  const shared = await requireGivenTarget(values);
  // The parent says for all of its children why there is no cache.
  const openImageCache = async (): Promise<ImageCache> => ({
    ...(await io.openImageCache()),
    takeWarning: () => undefined,
  });
  const cached = createTargetCache();
  const check = async ({ cluster, file }: Extract<ParentMessage, { kind: "cluster" }>): Promise<void> => {
    const warnings: string[] = [];
    const quietIo: Io = { ...io, isErrTerminal: false, openImageCache, err: (text) => void warnings.push(text) };
    printSkipped(shared?.target.warnings, quietIo);
    const checked = await checkCluster({ cluster, file, shared, readTarget: cached }, values, quietIo).then(
      (unreadImage) => ({ problem: undefined, unreadImage }),
      (thrown: unknown) => ({ problem: formatError(thrown) }),
    );
    parent.send({ kind: "checked", warnings, ...checked });
  };
  await new Promise<void>((resolve) => {
    io.stopSignal.addEventListener("abort", () => resolve(), { once: true });
    parent.onMessage((message) => {
      if (message.kind === "cluster") void check(message);
    });
    parent.send({ kind: "ready", target: undefined });
  });
  return 0;
}

/** Most clusters of a fleet go to the same release: the last folder that was read is kept. Its name is its digest. */
function createTargetCache(): ReadTarget {
  let last: { readonly folder: string; readonly target: ReturnType<ReadTarget> } | undefined;
  return (options) => {
    const folder = options.folders.join();
    if (last?.folder === folder) return last.target;
    const target = readTarget(options);
    last = { folder, target };
    return target;
  };
}
