import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder with a kubeconfig of the server, and what removes it. */
export async function writeKubeconfig(server: string) {
  const folder = await mkdtemp(join(tmpdir(), "preflight-"));
  const path = join(folder, "kubeconfig");
  const entry = { name: "c" };
  const clusters = [{ ...entry, cluster: { server } }];
  const contexts = [{ ...entry, context: { cluster: "c", user: "c" } }];
  const config = { "current-context": "c", clusters, contexts, users: [{ ...entry, user: { token: "t" } }] };
  await writeFile(path, JSON.stringify(config));
  return { folder, path, remove: async () => rm(folder, { recursive: true }) };
}
