import type { Settings, ValuesOf } from "./command.ts";
import {
  crdSettings,
  releaseImageSettings,
  targetSettings,
  toSetting,
  updateGraphSettings,
} from "./shared-settings.ts";
import process from "node:process";
import { FailedError, UsageError } from "../../model/errors.ts";
import type { ImageCache } from "../../release/image/image-cache.ts";
import type { ImageOptions } from "../../release/image/image-options.ts";
import type { Mirror } from "../../release/image/mirrors.ts";
import { type Io, warn } from "../io/io.ts";
import { USER_AGENT } from "../io/program.ts";

/** How release images are read from their registries. */
export const registrySettings = {
  authfile: {
    env: "REGISTRY_AUTH_FILE",
    isEnvParsedElsewhere: true,
    group: "registry",
    isRepeated: false,
    placeholder: "FILE",
    describe: "File with the registry's credentials, as 'podman login' writes it or as the cluster's pull secret",
    defaultText: "the files of podman and docker",
  },
  mirror: {
    group: "registry",
    isRepeated: true,
    placeholder: "MIRROR",
    type: "list",
    describe:
      "Mirrors to try before those of the cluster and the registry itself: HOST/REPOSITORY, or SOURCE=MIRROR, matched by prefix (separated by commas)",
  },
  arch: {
    env: "PREFLIGHT_ARCH",
    group: "registry",
    isRepeated: true,
    placeholder: "ARCH",
    describe: "Architecture to select from a multi-arch image (amd64, arm64, ppc64le, s390x)",
    defaultText: "this machine's",
  },
  "signature-store": {
    env: "PREFLIGHT_SIGNATURE_STORE",
    group: "registry",
    isRepeated: true,
    placeholder: "DIR|URL",
    describe:
      "URL or folder with signatures of releases (sha256=DIGEST/signature-1), searched before the cluster's own stores",
  },
  "registry-ca": {
    env: "PREFLIGHT_REGISTRY_CA",
    group: "registry",
    isRepeated: true,
    placeholder: "FILE",
    describe:
      "PEM file with further certificate authorities of registries, the update service, signature stores and a proxy (the system's, the cluster's, and those in certs.d are used anyway)",
  },
  "image-timeout": {
    env: "PREFLIGHT_IMAGE_TIMEOUT",
    group: "registry",
    isRepeated: true,
    type: "duration",
    default: "30m",
    describe: "Time limit for reading one release image from its registry and its mirrors",
  },
  "image-min-rate": {
    env: "PREFLIGHT_IMAGE_MIN_RATE",
    group: "registry",
    isRepeated: true,
    type: "number",
    default: 1024,
    describe: "Bytes a second that a registry must send, averaged over a minute; a slower one is given up",
  },
} as const satisfies Settings;

const imageSettings = {
  "to-image": {
    env: "PREFLIGHT_TO_IMAGE",
    group: "target",
    isRepeated: true,
    placeholder: "REFERENCE",
    describe:
      "Release image to check against, read from its registry or a mirror (HOST/REPOSITORY:TAG or HOST/REPOSITORY@sha256:...), from oci:DIR, oci-archive:FILE or docker-archive:FILE",
  },
  ...registrySettings,
} as const satisfies Settings;

/** A target release in each of its forms, or CRDs instead. */
export const releaseSettings = {
  to: toSetting,
  ...updateGraphSettings,
  ...targetSettings,
  ...releaseImageSettings,
  ...imageSettings,
  ...crdSettings,
} as const satisfies Settings;

export type RegistryValues = ValuesOf<typeof registrySettings>;

/** How images are read as the flags say; commands without these flags have none. */
export function buildImageOptions(values: Partial<RegistryValues>, mirrors: readonly Mirror[], io: Io): ImageOptions {
  const { "image-min-rate": minBytesPerSecond, "image-timeout": timeoutMs } = values;
  const isLimited = minBytesPerSecond !== undefined && timeoutMs !== undefined;
  return {
    env: io.env,
    now: io.now(),
    signal: io.stopSignal,
    userAgent: USER_AGENT,
    machine: process.arch,
    mirrors,
    transferLimits: isLimited ? { minBytesPerSecond, timeoutMs } : undefined,
    arch: values.arch,
    authFile: values.authfile,
    caFile: values["registry-ca"],
  };
}

/** The cache of this process; says once if it can't be the user's. */
export async function openImageCache(io: Io): Promise<ImageCache> {
  const cache = await io.openImageCache();
  const warning = cache.takeWarning();
  if (warning !== undefined) warn(warning, io);
  return cache;
}

/** What a flag holds; text that can't be parsed is wrong usage. */
export function parseFlag<T>(flag: string, parse: () => T): T {
  try {
    return parse();
  } catch (thrown) {
    if (thrown instanceof FailedError) throw new UsageError(`--${flag}: ${thrown.message}`);
    throw thrown;
  }
}
