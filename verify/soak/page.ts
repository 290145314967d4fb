import { numberAt, parseObject } from "../../src/model/json.ts";
import { formatTable } from "../shared/markdown.ts";
import type { PrebuiltFile } from "./prebuilt.ts";

export type SoakRound = {
  readonly program: "churn" | "outages";
  readonly seed: number;
  readonly flags: readonly string[];
  readonly isSound: boolean;
  readonly seconds: number;
  /** What churn counted, as JSON. */
  readonly troubles: string | undefined;
};

/** What was played, for how long, and with which programs. */
export function formatSoak(rounds: readonly SoakRound[], prebuilt: readonly PrebuiltFile[]): string {
  const rows = rounds.map(({ program, seed, flags, isSound, seconds, troubles }) => {
    const counts = parseObject(troubles ?? "{}");
    const count = (key: string): string => (troubles === undefined ? "-" : `${numberAt(counts, key) ?? 0}`);
    const verdict = isSound ? "as expected" : "failed";
    const command = ["npm run", program, "-- --seed", seed, ...flags].join(" ");
    return [`\`${command}\``, verdict, `${seconds}`, count("stores"), count("clocks"), count("scraped")];
  });
  const seconds = rounds.reduce((total, one) => total + one.seconds, 0);
  const failed = rounds.filter(({ isSound }) => !isSound).length;
  return [
    formatTable(["Round", "Result", "Seconds", "Pauses of etcd", "Late clocks", "Scrapes over TLS"], rows),
    "",
    `${rounds.length} rounds in ${seconds} seconds, ${failed} of them failed.`,
    "",
    formatTable(
      ["Prebuilt", "SHA-256"],
      prebuilt.map(({ name, digest }) => [name, `\`${digest.slice(0, 16)}...\``]),
    ),
  ].join("\n");
}
