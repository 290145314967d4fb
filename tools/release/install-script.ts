import type { PlatformDownload } from "./downloads.ts";
import type { Project } from "./project.ts";
import { OLDEST_GLIBC } from "./system-packages/installed-files.ts";

/** The script that installs an archive whose sum it has. `template`: install.sh beside this file. */
export function formatInstallScript(
  template: string,
  { version, engines }: Project,
  url: string,
  archives: readonly PlatformDownload[],
): string {
  const sums = archives.map(
    ({ platform, sha256 }) => [`SUM_${platform.oci.architecture.toUpperCase()}`, sha256] as const,
  );
  const values = new Map([
    ["VERSION", version],
    ["URL", url],
    ["NODE", engines.node.replace(">=", "")],
    ["GLIBC", OLDEST_GLIBC],
    ...sums,
  ]);
  return template.replaceAll(/@([A-Z0-9_]+)@/g, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`install.sh names @${name}@, which nothing gives`);
    return value;
  });
}
