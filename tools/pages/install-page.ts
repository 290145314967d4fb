import { NEWEST_LIST, isPlaceholder } from "../../src/model/list-age.ts";
import { formatPage, formatTable } from "../../verify/shared/markdown.ts";
import { PLUGIN } from "../release/krew.ts";
import { PLATFORMS } from "../release/platform.ts";
import type { Project } from "../release/project.ts";
import { nameSystemPackages, OLDEST_GLIBC } from "../release/system-packages/installed-files.ts";

/** docs/install.md: how each file of a release is installed, with the addresses of PROJECT_URL. */
export function formatInstallPage(heading: string, project: Project, url: string): string {
  const node = project.engines.node.replace(">=", "");
  const packages = PLATFORMS.map(({ oci }) => nameSystemPackages(project, oci.architecture));
  const [first, second] = packages;
  return formatPage(
    heading,
    "# Install preflight",
    `Choose one. Each gives the command \`preflight\` and the plugin \`kubectl preflight-update\`.${describePlaceholder(url)}`,
    formatTable(
      ["on", "what", "needs"],
      [
        [
          "Linux, x64 and arm64",
          "[the script](#linux-by-a-script), without root",
          `glibc ${OLDEST_GLIBC} and libstdc++`,
        ],
        ["Debian, Ubuntu", "[a package](#debian-and-ubuntu)", "root"],
        ["Fedora, RHEL, SUSE", "[a package](#fedora-rhel-and-suse)", "root"],
        ["anywhere with Node", "[the npm package](#npm-package)", `Node ${node} or newer`],
        ["with kubectl's krew, or Homebrew", "[a manifest](#krew-and-homebrew)", "krew, or Homebrew"],
        ["in a container, in the cluster", "[an image](#image)", "podman, or a registry"],
      ],
    ),
    "## Linux, by a script",
    formatCommands(`curl -fsSL ${url}install.sh | sh`),
    "downloads the executable of this machine, compares its sha256 with the one in the script, starts it once, and installs it into `~/.local`. It refuses a file with another sum, and says each step. For another folder, and to read the script first:",
    formatCommands(`curl -fLO ${url}install.sh`, "less install.sh", "sh install.sh --prefix /opt/preflight"),
    "`--from DIR` takes the release's files from a folder, for a machine without a connection. `PREFIX` in the environment means `--prefix`.",
    "## Debian and Ubuntu",
    formatCommands(`curl -fLO ${url}${first?.deb}`, `sudo apt-get install ./${first?.deb}`),
    "On arm64:",
    formatCommands(`curl -fLO ${url}${second?.deb}`, `sudo apt-get install ./${second?.deb}`),
    "## Fedora, RHEL and SUSE",
    formatCommands(`sudo dnf install ${url}${first?.rpm}`),
    "On arm64:",
    formatCommands(`sudo dnf install ${url}${second?.rpm}`),
    "On SUSE, `zypper` installs the downloaded file. The packages are not signed, so [verify](#verify) the file first. Without `--allow-unsigned-rpm`, `zypper` asks whether to ignore that, and aborts if nobody answers.",
    formatCommands(`curl -fLO ${url}${first?.rpm}`, `sudo zypper install --allow-unsigned-rpm ./${first?.rpm}`),
    ...describePortableWays(project, url),
  );
}

/** Those that are not for one family of systems, and what goes with all of them. */
function describePortableWays({ name, version }: Project, url: string): readonly string[] {
  return [
    "## npm package",
    formatCommands(`npx ${url}${name}-${version}.tgz --version`, `npm install --global ${url}${name}-${version}.tgz`),
    `This is the way on macOS. There are no executables for macOS and Windows: an executable holds code that V8 has compiled in advance, which only the platform's own Node can do, and no release is tried there. On Windows, the command that npm makes needs \`sh\`: start the file with Node instead, which nobody has tried either: \`node DIR/node_modules/${name}/preflight\`.`,
    "## krew and Homebrew",
    formatCommands(`kubectl krew install --manifest-url=${url}${PLUGIN}.yaml`),
    `The formula \`${name}.rb\` is for a tap of your own; on macOS it takes the npm package with Homebrew's Node.`,
    "## Image",
    formatCommands(
      `curl -fLO ${url}preflight-${version}-image-linux-amd64.tar`,
      `podman load --input preflight-${version}-image-linux-amd64.tar`,
    ),
    "[deploy](../deploy/README.md) says how it runs in the cluster.",
    "## Verify",
    formatCommands(`curl -fLO ${url}SHA256SUMS`, "sha256sum --check --ignore-missing SHA256SUMS"),
    `Where the release is signed, the signature covers \`${name}-${version}.intoto.jsonl\`, which names every file by its sum: see [releasing.md](releasing.md#signing).`,
    "## A newer list of known bugs",
    formatCommands(`curl -fLO ${url}${NEWEST_LIST}`, `preflight check --to 4.20 --known-bugs ${NEWEST_LIST}`),
    "[administrator.md](administrator.md#a-newer-list-of-known-bugs) has the other ways to bring one.",
  ];
}

function describePlaceholder(url: string): string {
  if (!isPlaceholder(url)) return "";
  return ` The address below is a placeholder, since this is not of a published release: make the files with \`npm run release -- --trial\`, and name their folder (\`sh dist/release/install.sh --from dist/release\`).`;
}

function formatCommands(...commands: readonly string[]): string {
  return commands.map((command) => `    ${command}`).join("\n");
}
