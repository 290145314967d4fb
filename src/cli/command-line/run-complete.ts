import { loadKubeconfig } from "../../cluster/access/loading-rules.ts";
import type { Io } from "../io/io.ts";
import { toLine } from "../../model/visible-text.ts";
import { type Candidate, complete } from "./complete.ts";

/** Prints what can stand for the last of the words after "--": a candidate a line, with " -- " before its description. */
export async function runComplete(argv: readonly string[], io: Io): Promise<number> {
  const words = argv[0] === "--" ? argv.slice(1) : argv;
  const candidates = await complete(words, {
    contexts: (kubeconfig) => listContexts(kubeconfig, io),
    checks: async () => (await import("./check-names.ts")).listChecks(),
    risks: async () => (await import("./check-names.ts")).listRisks(),
    cases: async (given) => (await import("./case-names.ts")).listCaseNames(given),
  });
  const lines = candidates.map(({ word, describe }) =>
    describe === undefined ? word : `${word} -- ${toLine(describe)}`,
  );
  for (const line of lines) io.out(`${line}\n`);
  return 0;
}

/** From the kubeconfig alone: completion must not wait for a cluster. */
async function listContexts(kubeconfig: string | undefined, io: Io): Promise<readonly Candidate[]> {
  try {
    // The shell expands it only when the command runs.
    const path = kubeconfig?.replace(/^~(?=\/)/, io.env["HOME"] ?? "~");
    const { contexts } = await loadKubeconfig({ env: io.env, kubeconfig: path });
    return [...contexts.keys()].toSorted().map((word) => ({ word }));
  } catch {
    return [];
  }
}
