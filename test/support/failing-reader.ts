import type { Absence, ReadFailure, Reader } from "../../src/model/reader.ts";
import { buildResourcePath } from "../../src/model/resource.ts";

/** What fails: the object, list or text at a path. */
export type FailingRead = { readonly path: string; readonly failure: ReadFailure };

export type FailingReader = { readonly reader: Reader; readonly paths: ReadonlySet<string> };

/** Another reader, of which one read fails: a list and a text after all of it arrived, as when the connection breaks at its end. */
export function createFailingReader(whole: Reader, failing?: FailingRead): FailingReader {
  const paths = new Set<string>();
  const end = <T extends { readonly kind: string }>(path: string, result: T | Absence): T | Absence | ReadFailure => {
    paths.add(path);
    return failing !== undefined && failing.path === path ? failing.failure : result;
  };
  const reader: Reader = {
    get: async (location, signal) =>
      end(buildResourcePath(location.resource, location.namespace, location.name), await whole.get(location, signal)),
    list: async (resource, ...rest) => end(buildResourcePath(resource), await whole.list(resource, ...rest)),
    raw: async (path, ...rest) => end(path, await whole.raw(path, ...rest)),
  };
  return { reader, paths };
}
