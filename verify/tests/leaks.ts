/** What files that share a process share besides. */
export type ProcessSnapshot = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly umask: number;
  readonly exitCode: string;
  readonly listeners: Readonly<Record<string, number>>;
};

const EVENTS = ["SIGINT", "SIGTERM", "SIGHUP", "uncaughtException", "unhandledRejection", "beforeExit", "message"];

export function takeSnapshot(): ProcessSnapshot {
  return {
    env: { ...process.env },
    folder: process.cwd(),
    umask: process.umask(),
    exitCode: String(process.exitCode),
    listeners: Object.fromEntries(EVENTS.map((event) => [event, process.listenerCount(event)])),
  };
}

/** What a file changed and did not put back, in words. */
export function findLeaks(before: ProcessSnapshot, after: ProcessSnapshot): readonly string[] {
  return [
    ...listChanged(before.env, after.env).map((name) => `the environment's ${name}`),
    ...(before.folder === after.folder ? [] : [`the working folder ${after.folder}`]),
    ...(before.umask === after.umask ? [] : ["the umask"]),
    ...(before.exitCode === after.exitCode ? [] : [`the exit code ${after.exitCode}`]),
    ...listChanged(before.listeners, after.listeners).map((event) => `a listener for ${event}`),
  ];
}

function listChanged(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);
}
