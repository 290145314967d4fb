/** What a test file took the last time that it was measured. `seconds`: of the clock; `cpu`: its processor time, in seconds. */
export type FileCost = { readonly file: string; readonly cpu: number; readonly seconds: number };

/** Files that one process runs, one after the other. `load`: the part of a processor that it takes, with what it starts. */
export type Job = { readonly files: readonly string[]; readonly seconds: number; readonly load: number };

export type Packing = {
  readonly costs: ReadonlyMap<string, FileCost>;
  /** Files that have a process to themselves. */
  readonly alone: ReadonlySet<string>;
  /** Groups of files that share what is expensive to make, and make it once for each job. In a job they run in this order. */
  readonly together: Readonly<Record<string, readonly string[]>>;
  /** Changes the order of files, and which of them meet in a process. */
  readonly seed?: number;
};

/** `seconds`: about what the files of a job take together; `load`: the least that it takes of a processor. */
type JobLimits = { readonly seconds: number; readonly load: number };
const APART: JobLimits = { seconds: 60, load: 0.3 };
/** Those that share what is expensive to make: who waits for an API server keeps it busy, which is not measured. */
const TOGETHER: JobLimits = { seconds: 180, load: 0.7 };
/** What a file takes that nobody has measured. */
const UNMEASURED: Omit<FileCost, "file"> = { cpu: 2, seconds: 2 };

/** Packs files into jobs, the longest first. */
export function planJobs(files: readonly string[], packing: Packing): readonly Job[] {
  const shared = files.filter((file) => !packing.alone.has(file));
  const names = new Map(Object.entries(packing.together).flatMap(([name, some]) => some.map((file) => [file, name])));
  const groups = Map.groupBy(shared, (file) => names.get(file) ?? getFolder(file, packing));
  const jobs = [...groups].flatMap(([group, members]) =>
    packGroup(members, packing, group in packing.together ? TOGETHER : APART),
  );
  const alone = files.filter((file) => packing.alone.has(file)).map((file) => createJob([file], APART.load, packing));
  return [...jobs, ...alone].toSorted((a, b) => b.seconds - a.seconds || (getName(a) < getName(b) ? -1 : 1));
}

/** With a seed, files of any two folders may meet. */
function getFolder(file: string, { seed }: Packing): string {
  return seed === undefined ? file.split("/").slice(0, 2).join("/") : "any";
}

function packGroup(files: readonly string[], packing: Packing, limits: JobLimits): readonly Job[] {
  const order = packing.seed === undefined ? byCost(files, packing) : shuffle(files, packing.seed);
  const total = order.reduce((sum, file) => sum + getSeconds(file, packing), 0);
  return distribute(order, Math.max(1, Math.ceil(total / limits.seconds)), limits, packing);
}

/** Each file goes to the job that has the least so far. */
function distribute(files: readonly string[], count: number, { load }: JobLimits, packing: Packing): readonly Job[] {
  const bins = Array.from({ length: count }, () => ({ files: new Array<string>(), seconds: 0 }));
  for (const file of files) {
    const bin = bins.reduce((least, one) => (one.seconds < least.seconds ? one : least));
    bin.files.push(file);
    bin.seconds += getSeconds(file, packing);
  }
  return bins.filter((bin) => bin.files.length > 0).map((bin) => createJob(bin.files, load, packing));
}

function createJob(files: readonly string[], leastLoad: number, packing: Packing): Job {
  const sum = (measure: (file: string) => number): number => files.reduce((total, file) => total + measure(file), 0);
  const cpu = sum((file) => getCost(file, packing).cpu);
  const seconds = sum((file) => getCost(file, packing).seconds);
  const load = cpu / Math.max(1, seconds);
  return {
    files: order(files, packing),
    seconds: sum((file) => getSeconds(file, packing)),
    load: Math.min(1, Math.max(leastLoad, load)),
  };
}

/** With a seed, whoever shares what another one spoiled makes it again. */
function order(files: readonly string[], { together, seed }: Packing): readonly string[] {
  if (seed !== undefined) return files;
  const written = Object.values(together).flat();
  return files.toSorted((a, b) => written.indexOf(a) - written.indexOf(b));
}

function getCost(file: string, { costs }: Packing): Omit<FileCost, "file"> {
  return costs.get(file) ?? UNMEASURED;
}

function getSeconds(file: string, packing: Packing): number {
  const { cpu, seconds } = getCost(file, packing);
  return Math.max(cpu, seconds / 2);
}

function byCost(files: readonly string[], packing: Packing): readonly string[] {
  return files.toSorted((a, b) => getSeconds(b, packing) - getSeconds(a, packing) || (a < b ? -1 : 1));
}

const getName = ({ files }: Job): string => files[0] ?? "";

const MODULUS = 2 ** 31 - 1;
const MULTIPLIER = 48_271;

/** The same order for the same seed, on every machine: Park and Miller's generator. */
function shuffle(files: readonly string[], seed: number): readonly string[] {
  const state = { value: (Math.abs(seed) % (MODULUS - 1)) + 1 };
  const next = (): number => (state.value = (state.value * MULTIPLIER) % MODULUS);
  return files
    .toSorted()
    .map((file) => ({ file, key: next() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ file }) => file);
}
