import type { Download, PlatformDownload } from "./downloads.ts";
import type { Project } from "./project.ts";

const CPU_BLOCKS = { amd64: "on_intel", arm64: "on_arm" };

/** The formula: the single executable on Linux, the npm package with Homebrew's Node on macOS. */
export function formatHomebrewFormula(
  { version, description, license }: Project,
  npmPackage: Download,
  executables: readonly PlatformDownload[],
): string {
  return `class TargetReleasePreflight < Formula
  desc "${description}"
  homepage "${new URL(".", npmPackage.url).href}"
  version "${version}"
  license "${license}"

  on_macos do
    url "${npmPackage.url}"
    sha256 "${npmPackage.sha256}"
    depends_on "node"
  end

  on_linux do
${executables.map(formatExecutable).join("\n")}
  end

  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"preflight"
    bin.install_symlink libexec/"preflight" => "kubectl-preflight_update"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/preflight --version")
  end
end
`;
}

function formatExecutable({ platform, url, sha256 }: PlatformDownload): string {
  return `    ${CPU_BLOCKS[platform.oci.architecture]} do
      url "${url}"
      sha256 "${sha256}"
    end`;
}
