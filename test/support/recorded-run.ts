import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecordedReader } from "../../src/cluster/recorded/recorded-reader.ts";
import { createRecordingReader, type Recording, writeRecording } from "../../src/cluster/recorded/recording.ts";
import { RECORDED_READS } from "./recording-redaction.ts";
import type { Reader } from "../../src/model/reader.ts";

/** The result on a cluster, and the result on its recording. */
export async function runTwice<T>(
  cluster: Reader,
  judge: (reader: Reader) => Promise<T>,
): Promise<{ readonly live: T; readonly recorded: T }> {
  const folder = mkdtempSync(join(tmpdir(), "preflight-recording-"));
  try {
    const recording: Recording = new Map();
    const live = await judge(createRecordingReader(cluster, recording, () => RECORDED_READS));
    await writeRecording(recording, folder);
    return { live, recorded: await judge(await createRecordedReader(folder)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
