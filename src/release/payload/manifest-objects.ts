import { parseDocuments } from "../../encoding/yaml.ts";
import { type JsonObject, parseObject } from "../../model/json.ts";
import type { ReleaseManifest } from "../../model/release.ts";
import { MAX_FILE_BYTES, decodeUtf8, readBoundedFile } from "./bounded-file.ts";
import { buildDigestEntry } from "./digest.ts";
import { parseManifests } from "./manifest-parser.ts";
import { renderTemplate } from "./template.ts";

/** A file of manifests that was read, with the digest of its content. */
export type ReadFile = {
  readonly path: string;
  readonly within: readonly string[];
  readonly digest: string;
  readonly isRendered: boolean;
};

/** Reads the objects of a file again: few checks ask for them, and all of a release have tens of MiB. */
export function createObjectReader(file: ReadFile): (index: number) => JsonObject | undefined {
  let known: WeakRef<readonly JsonObject[]> | undefined;
  return (index) => {
    const objects = known?.deref() ?? readObjects(file);
    known = new WeakRef(objects);
    return objects[index];
  };
}

function readObjects({ path, within, digest, isRendered }: ReadFile): readonly JsonObject[] {
  const read = readBoundedFile(path, within, MAX_FILE_BYTES);
  if (read.kind === "refused" || buildDigestEntry("", read.bytes).contentDigest !== digest) return [];
  const text = decodeUtf8(read.bytes) ?? "";
  return parseManifests(parseDocuments(isRendered ? (renderTemplate(text) ?? "") : text), "").objects;
}

/** Keeps the objects of a file that goes away, up to so many characters of all files. */
export function createObjectKeeper(maxCharacters: number): (object: JsonObject) => ReleaseManifest["read"] {
  let left = maxCharacters;
  return (object) => {
    const text = JSON.stringify(object);
    left -= text.length;
    return left < 0 ? undefined : () => parseObject(text);
  };
}
