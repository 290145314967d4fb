import type { ReadFailure, Reader } from "../../src/model/reader.ts";
import { buildResourcePath } from "../../src/model/resource.ts";

/** What fails: the objects, lists or texts at some paths, before anything arrives, or after all of it, as when a connection breaks. */
export type FailingReads = {
  readonly paths: ReadonlySet<string>;
  readonly failure: ReadFailure;
  readonly when: "at once" | "at its end";
};

export type FailingReader = { readonly reader: Reader; readonly paths: ReadonlySet<string> };

/** Another reader, of which some reads fail. `paths`: all that were read. */
export function createFailingReader(whole: Reader, failing?: FailingReads): FailingReader {
  const paths = new Set<string>();
  const attempt = async <T>(path: string, read: () => Promise<T>): Promise<T | ReadFailure> => {
    paths.add(path);
    if (failing === undefined || !failing.paths.has(path)) return read();
    if (failing.when === "at its end") await read();
    return failing.failure;
  };
  const reader: Reader = {
    get: (location, signal) =>
      attempt(buildResourcePath(location.resource, location.namespace, location.name), () =>
        whole.get(location, signal),
      ),
    list: (resource, ...rest) => attempt(buildResourcePath(resource), () => whole.list(resource, ...rest)),
    raw: (path, ...rest) => attempt(path, () => whole.raw(path, ...rest)),
  };
  return { reader, paths };
}
