import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

export type CommandResult = { readonly code: number; readonly output: string };

/** A shell in which printed commands run as an administrator pastes them. */
export type AdminShell = {
  readonly run: (command: string) => Promise<CommandResult>;
  readonly close: () => Promise<void>;
};

/** kubectl has the subcommands that `oc adm` has, and everything else that is printed. */
const OC = `#!/bin/sh
[ "$1" = adm ] && shift
exec kubectl "$@"
`;

export async function openAdminShell(env: Readonly<Record<string, string>>): Promise<AdminShell> {
  const folder = await mkdtemp(join(tmpdir(), "preflight-oc-"));
  await writeFile(join(folder, "oc"), OC);
  await chmod(join(folder, "oc"), 0o755);
  const path = [folder, env["KUBEBUILDER_ASSETS"], process.env["PATH"]].join(delimiter);
  const options = { env: { ...process.env, ...env, PATH: path, HOME: folder }, timeout: 120_000, maxBuffer: 2 ** 26 };
  return {
    run: (command) =>
      new Promise((resolve) => {
        execFile("/bin/sh", ["-c", command], options, (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
          resolve({ code, output: `${stdout.slice(0, 2000)}${stderr.slice(0, 2000)}` });
        });
      }),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
