/** A system that gets an executable of its own: `node` in the words of Node and npm, `oci` in those of Go, images and krew. */
export type BuildPlatform = {
  readonly node: { readonly os: "linux"; readonly cpu: "x64" | "arm64" };
  readonly oci: { readonly os: "linux"; readonly architecture: "amd64" | "arm64" };
  /** Runs this platform's programs elsewhere. */
  readonly emulator: readonly [string, ...string[]];
};

export const PLATFORMS: readonly BuildPlatform[] = [
  {
    node: { os: "linux", cpu: "x64" },
    oci: { os: "linux", architecture: "amd64" },
    emulator: ["qemu-x86_64-static", "-L", "/usr/x86_64-linux-gnu"],
  },
  {
    node: { os: "linux", cpu: "arm64" },
    oci: { os: "linux", architecture: "arm64" },
    emulator: ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"],
  },
];

/** The words before a program of the platform: none where it runs by itself. */
export function selectEmulator({ node, emulator }: BuildPlatform): readonly string[] {
  return node.os === process.platform && node.cpu === process.arch ? [] : emulator;
}
