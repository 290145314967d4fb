import type { Job } from "./plan.ts";

/** How many jobs run at once, at the most, and how much they may take together. */
export type Limits = { readonly processes: number; readonly processors: number };

/** Runs jobs in their order: as many at once as keep the processors busy, since some wait most of the time. */
export async function runJobs<Result>(
  jobs: readonly Job[],
  limits: Limits,
  run: (job: Job, id: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const queue = [...jobs.entries()];
  const results: Result[] = [];
  const running = new Map<Job, Promise<void>>();
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [id, job] = next;
    while (!hasRoom([...running.keys()], job, limits)) await Promise.race(running.values());
    const ended = run(job, id).then((result) => {
      results.push(result);
      running.delete(job);
    });
    running.set(job, ended);
  }
  await Promise.all(running.values());
  return results;
}

/** Alone, a job always has room. */
function hasRoom(running: readonly Job[], { load }: Job, { processes, processors }: Limits): boolean {
  const total = running.reduce((sum, job) => sum + job.load, load);
  return running.length === 0 || (running.length < processes && total <= processors);
}
